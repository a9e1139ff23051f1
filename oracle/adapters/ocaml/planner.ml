(* A planner and checker that follow the rules (SEG, ARN, VAL of ref/README.md)
   as they are written: put yours in its place. No sum below may pass 2^64 - 1:
   each is compared as a difference first. SPDX-License-Identifier: MIT *)

open Poolproof_stdio

(* SEG-1: the bytes to skip at [at]. A pad: the sum may be past the end. *)
let padding at align =
  if U64.(align <= 1L) then 0L
  else
    let over = U64.rem at align in
    if over = 0L then 0L else U64.(align - over)

(* SEG *)
let segments cap items =
  Array.iteri
    (fun i item -> if U64.(item.size > cap) then raise (Item_over_cap i))
    items;
  let n = Array.length items in
  let segment = Array.make n 0L and offset = Array.make n 0L in
  let closed = ref [] and count = ref 0 and last = ref 0L in
  let put i item =
    let pad = padding !last item.align in
    let room = U64.(cap - !last) in
    let fits =
      !count > 0 && U64.(pad <= room) && U64.(item.size <= room - pad)
    in
    if not fits then (
      if !count > 0 then closed := !last :: !closed;
      incr count);
    segment.(i) <- Int64.of_int (!count - 1);
    offset.(i) <- (if fits then U64.(!last + pad) else 0L);
    last := U64.(offset.(i) + item.size)
  in
  Array.iteri put items;
  let sizes = if !count > 0 then !last :: !closed else [] in
  { segment; offset; sizes = Array.of_list (List.rev sizes) }

(* ARN-1 *)
let conflict a b =
  match (a.span, b.span) with
  | Some (lo, hi), Some (lo', hi') when a.item_class = b.item_class ->
      U64.(lo <= hi') && U64.(lo' <= hi)
  | _ -> true

let refuse_bad_spans items =
  Array.iteri
    (fun i item ->
      match item.span with
      | Some (lo, hi) when U64.(lo > hi) -> raise (Bad_span i)
      | _ -> ())
    items

(* ARN-3, past the end of cap: ARN-4. placed: (start, end, item), by start. *)
let least_offset cap items i placed =
  let item = items.(i) in
  if U64.(item.size > cap) then raise Over_cap;
  let room = U64.(cap - item.size) in
  (* at <= room, so that at + item.size is within the cap *)
  let rec pass at = function
    | [] -> at
    | (_, _, j) :: rest when not (conflict item items.(j)) -> pass at rest
    | (start, _, _) :: _ when U64.(at + item.size <= start) -> at
    | (_, last, _) :: rest when U64.(last <= at) -> pass at rest
    | (_, last, _) :: rest ->
        let pad = padding last item.align in
        if U64.(last > room) || U64.(pad > room - last) then raise Over_cap;
        pass U64.(last + pad) rest
  in
  pass 0L placed

(* ARN *)
let arena cap items =
  refuse_bad_spans items;
  let larger_first i j = U64.compare items.(j).size items.(i).size in
  let order =
    List.stable_sort larger_first (List.init (Array.length items) Fun.id)
  in
  let offset = Array.make (Array.length items) 0L in
  let by_start (a, _, _) (b, _, _) = U64.compare a b in
  let place (placed, total) i =
    let at = least_offset cap items i placed in
    let last = U64.(at + items.(i).size) in
    offset.(i) <- at;
    (List.merge by_start placed [ (at, last, i) ], U64.max total last)
  in
  let _, total = List.fold_left place ([], 0L) order in
  (offset, total)

(* The first index below n with an answer. *)
let first n look =
  let rec from i =
    if i = n then None
    else match look i with None -> from (i + 1) | found -> found
  in
  from 0

(* VAL *)
let validate kind cap items { segment; offset; sizes } =
  if kind = Arena then refuse_bad_spans items;
  let n = Array.length items and m = Array.length sizes in
  let lost i =
    if U64.(segment.(i) < Int64.of_int m) then None
    else Some (No_such_segment i)
  and misaligned i =
    if padding offset.(i) items.(i).align = 0L then None
    else Some (Misaligned i)
  and past_end i =
    let size = sizes.(Int64.to_int segment.(i)) in
    let fits =
      U64.(items.(i).size <= size) && U64.(offset.(i) <= size - items.(i).size)
    in
    if fits then None else Some (Past_end i)
  and too_big k =
    if U64.(sizes.(k) > cap) then Some (Segment_too_big k) else None
  in
  let last i = U64.(offset.(i) + items.(i).size) in
  let shared first second =
    let may_share =
      segment.(first) <> segment.(second)
      || (kind = Arena && not (conflict items.(first) items.(second)))
    in
    let lo = U64.max offset.(first) offset.(second)
    and hi = U64.min (last first) (last second) in
    if may_share || U64.(hi <= lo) then None
    else Some (Shared_bytes { first; second; lo; hi })
  in
  let shared_with second = first second (fun i -> shared i second) in
  let wrong_size k =
    let least = ref 0L in
    for i = 0 to n - 1 do
      if segment.(i) = Int64.of_int k then least := U64.max !least (last i)
    done;
    if sizes.(k) = !least then None
    else Some (Wrong_size { segment = k; claimed = sizes.(k); least = !least })
  in
  let looks =
    [
      (n, lost); (n, misaligned); (n, past_end); (m, too_big);
      (n, shared_with); (m, wrong_size);
    ]
  in
  List.fold_left
    (fun found (count, look) ->
      match found with None -> first count look | _ -> found)
    None looks
