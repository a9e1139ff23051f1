(* planner.ml, held to the rules:

     make -C oracle/adapters/ocaml
     poolproof conform --impl oracle/adapters/ocaml/implementation

   SPDX-License-Identifier: MIT *)

let () =
  Poolproof_stdio.serve
    {
      Poolproof_stdio.nothing with
      name = "poolproof's OCaml example";
      segments = Some Planner.segments;
      arena = Some Planner.arena;
      validate = Some Planner.validate;
    }
