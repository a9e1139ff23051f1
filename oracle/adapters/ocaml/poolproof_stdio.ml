(* poolproof/1 on standard input and output, for OCaml 4.08 or later and yojson.
   This is the file to take along.

     let () =
       Poolproof_stdio.(
         serve { nothing with name = "my planner"; arena = Some my_arena })

   A verb that is None is not claimed. All byte counts, steps and classes are
   [int64] with the bits of the unsigned number: compare them with [U64], never
   with (<). Which of them travel as strings is settled here.
   oracle/PROTOCOL.md is the protocol. SPDX-License-Identifier: MIT *)

(* Unsigned numbers of 64 bits, without a sum that could pass the end. *)
module U64 = struct
  type t = int64

  let compare = Int64.unsigned_compare
  let ( < ) a b = compare a b < 0
  let ( <= ) a b = compare a b <= 0
  let ( > ) a b = compare a b > 0
  let max a b = if a < b then b else a
  let min a b = if a < b then a else b
  let rem = Int64.unsigned_rem

  (* Only where a <= 2^64 - 1 - b, and where b <= a. *)
  let ( + ) = Int64.add
  let ( - ) = Int64.sub
end

(* span: first and last step of its life, both in it; None: always live *)
type item = {
  size : U64.t;
  align : U64.t;
  item_class : U64.t;
  span : (U64.t * U64.t) option;
}

(* segment and offset: of each item. sizes: of each segment. A claimed segment
   may be any number. *)
type layout = {
  segment : U64.t array;
  offset : U64.t array;
  sizes : U64.t array;
}

type violation =
  | No_such_segment of int
  | Misaligned of int
  | Past_end of int
  | Segment_too_big of int
  | Shared_bytes of { first : int; second : int; lo : U64.t; hi : U64.t }
  | Wrong_size of { segment : int; claimed : U64.t; least : U64.t }

(* What the rules refuse: the first such item, or none. *)
exception Item_over_cap of int
exception Bad_span of int
exception Over_cap

(* Raise it with a capability: the request needs what the planner has not. *)
exception Unsupported of string

(* Raise it with the URL of an issue: known to be wrong, not for now. *)
exception Skip of string

type kind = Segments | Arena

type planner = {
  name : string;
  version : string;
  homepage : string option;
  features : string list;
  items : int option; (* the most items of one request *)
  compare : string; (* "exact", "valid" or "total" *)
  segments : (U64.t -> item array -> layout) option;
  arena : (U64.t -> item array -> U64.t array * U64.t) option;
  validate :
    (kind -> U64.t -> item array -> layout -> violation option) option;
}

let nothing =
  {
    name = "a planner";
    version = "1";
    homepage = None;
    features = [ "classes"; "always_live"; "any_align"; "zero_size"; "u64" ];
    items = None;
    compare = "exact";
    segments = None;
    arena = None;
    validate = None;
  }

module Util = Yojson.Safe.Util

let number : Yojson.Safe.t -> U64.t = function
  | `Int value when value >= 0 -> Int64.of_int value
  | `Intlit digits | `String digits -> Int64.of_string ("0u" ^ digits)
  | _ -> failwith "no number from 0 to 2^64 - 1"

let of_number value : Yojson.Safe.t =
  if U64.(value <= 0x20000000000000L) then `Int (Int64.to_int value)
  else `String (Printf.sprintf "%Lu" value)

let numbers json = Util.to_list json |> List.map number |> Array.of_list

let of_numbers values : Yojson.Safe.t =
  `List (Array.to_list (Array.map of_number values))

let item json =
  {
    size = number (Util.member "size" json);
    align = number (Util.member "align" json);
    item_class =
      (match Util.member "class" json with `Null -> 0L | value -> number value);
    span =
      (match Util.member "span" json with
      | `List [ first; last ] -> Some (number first, number last)
      | _ -> None);
  }

let items request =
  Util.(request |> member "items" |> to_list)
  |> List.map item |> Array.of_list

let of_violation found : Yojson.Safe.t =
  let kind name rest = `Assoc (("kind", `String name) :: rest) in
  match found with
  | No_such_segment i -> kind "no_such_segment" [ ("item", `Int i) ]
  | Misaligned i -> kind "misaligned" [ ("item", `Int i) ]
  | Past_end i -> kind "past_end" [ ("item", `Int i) ]
  | Segment_too_big k -> kind "segment_too_big" [ ("segment", `Int k) ]
  | Shared_bytes { first; second; lo; hi } ->
      kind "shared_bytes"
        [
          ("items", `List [ `Int first; `Int second ]);
          ("bytes", of_numbers [| lo; hi |]);
        ]
  | Wrong_size { segment; claimed; least } ->
      kind "wrong_size"
        [
          ("segment", `Int segment);
          ("claimed", of_number claimed);
          ("end", of_number least);
        ]

let plan_segments make request : Yojson.Safe.t =
  let made = make (number (Util.member "cap" request)) (items request) in
  `Assoc
    [
      ("segment", of_numbers made.segment);
      ("offset", of_numbers made.offset);
      ("sizes", of_numbers made.sizes);
    ]

let plan_arena make request : Yojson.Safe.t =
  let offset, total =
    make (number (Util.member "cap" request)) (items request)
  in
  `Assoc [ ("offset", of_numbers offset); ("total", of_number total) ]

let judge validate request : Yojson.Safe.t =
  let claim = Util.member "layout" request in
  let of_claim key = numbers (Util.member key claim) in
  let kind =
    match Util.member "kind" request with
    | `String "arena" -> Arena
    | _ -> Segments
  in
  let layout =
    {
      segment = of_claim "segment";
      offset = of_claim "offset";
      sizes = of_claim "sizes";
    }
  in
  let cap = number (Util.member "cap" request) in
  match validate kind cap (items request) layout with
  | None -> `Assoc [ ("valid", `Bool true) ]
  | Some found ->
      `Assoc [ ("valid", `Bool false); ("violation", of_violation found) ]

let hello planner request : Yojson.Safe.t =
  let versions = Util.member "protocol" request in
  if
    U64.(number (Util.member "min" versions) > 1L)
    || U64.(number (Util.member "max" versions) < 1L)
  then failwith "only poolproof/1 is spoken here";
  let claim name = function Some _ -> [ name ] | None -> [] in
  let can =
    claim "segments" planner.segments
    @ claim "arena" planner.arena
    @ claim "validate" planner.validate
    @ planner.features
  in
  let homepage =
    match planner.homepage with
    | Some url -> [ ("homepage", `String url) ]
    | None -> []
  in
  let limits =
    match planner.items with
    | Some most -> [ ("limits", `Assoc [ ("items", `Int most) ]) ]
    | None -> []
  in
  `Assoc
    ([
       ("protocol", `Int 1);
       ("name", `String planner.name);
       ("version", `String planner.version);
     ]
    @ homepage
    @ [ ("capabilities", `List (List.map (fun word -> `String word) can)) ]
    @ limits
    @ [ ("compare", `String planner.compare) ])

let result planner verb request =
  match (verb, planner) with
  | "hello", _ -> hello planner request
  | "bye", _ -> `Assoc []
  | "segments", { segments = Some make; _ } -> plan_segments make request
  | "arena", { arena = Some make; _ } -> plan_arena make request
  | "validate", { validate = Some validate; _ } -> judge validate request
  | _ -> raise (Unsupported verb)

let answer planner verb request =
  let reject reason index = ("reject", `String reason) :: index in
  match result planner verb request with
  | result -> [ ("result", result) ]
  | exception Item_over_cap i -> reject "item_over_cap" [ ("index", `Int i) ]
  | exception Bad_span i -> reject "bad_span" [ ("index", `Int i) ]
  | exception Over_cap -> reject "over_cap" []
  | exception Unsupported what -> [ ("unsupported", `String what) ]
  | exception Skip url -> [ ("skip", `String url) ]

(* Answers until bye, or the end of the input. *)
let serve planner =
  let say id what =
    print_string (Yojson.Safe.to_string (`Assoc (("id", id) :: what)));
    print_newline () (* flushes *)
  in
  let rec next () =
    let line = input_line stdin in
    let id = ref (`Int 0) and verb = ref "" in
    (try
       let request = Yojson.Safe.from_string line in
       id := Util.member "id" request;
       verb := Util.(member "verb" request |> to_string);
       say !id (answer planner !verb request)
     with wrong ->
       (* one bad request is not the end *)
       say !id [ ("error", `String (Printexc.to_string wrong)) ]);
    if !verb <> "bye" then next ()
  in
  try next () with End_of_file -> ()
