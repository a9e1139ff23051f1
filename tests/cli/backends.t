  $ poolproof backends
  name         alias          devices      max pool, bytes alignment work   first device                  what it is
  cc           sync_cc              1  9223372036854775807        64 sync   this processor                this processor, one synchronous device
  multidev_cc  multicore_cc         4  9223372036854775807        64 async  this processor                this processor as several devices, a worker thread each
  opencl       -              not available here                                                          every device of every OpenCL platform
  cuda         -              not available here                                                          NVIDIA's GPUs, through their driver
  $ poolproof backends --names
  cc
  multidev_cc
  opencl
  cuda
  $ poolproof backends cc > out 2> err
  [2]

The doctor tries each, and says why those that are not here are not:

  $ poolproof doctor > out; echo $?
  0
  $ sed -n '1,/^$/p' out
  backend      here           devices  what it is
  cc           works                1  this processor, one synchronous device
  multidev_cc  works                4  this processor as several devices, a worker thread each
  opencl       not available        0  every device of every OpenCL platform
  cuda         not available        0  NVIDIA's GPUs, through their driver
  
  $ sed -n '/^cc$/,/^$/p' out
  cc
    device 0: this processor, pools of 8.00 EiB at most, alignment 64
      works: 256 values agree
    needs nothing that is not here
  
  $ grep -c 'works: 256 values agree' out
  5
  $ for b in opencl cuda; do grep -c "^  $b has no device to use: .*(BKD-3)$" out; done
  1
  1
  $ tail -1 out
  works here: cc, multidev_cc
  $ poolproof doctor --require multidev_cc,sync_cc > out; echo $?; tail -1 out
  0
  works here: cc, multidev_cc
  $ poolproof doctor --require multidev_cc,cuda > out; echo $?; tail -2 out
  1
  works here: cc, multidev_cc
  required, but does not work here: cuda
  $ poolproof doctor --require all --json > out
  [1]
  $ poolproof doctor --json | sed -n 1,4p
  {"poolproof":"doctor/1","backends":[
  {"name":"cc","about":"this processor, one synchronous device","health":"works","sentence":"","devices":[
   {"ordinal":0,"name":"this processor","max_pool":"9223372036854775807","alignment":64,"asynchronous":false,"health":"works","values":256,"sentence":""}],
   "needs":[]}
  $ poolproof doctor --require tpu 2>&1 | head -1
  poolproof doctor: --require: "tpu" is no backend; there are cc, multidev_cc, opencl, cuda (BKD-2)
  $ poolproof doctor cc 2>&1 | head -1
  poolproof doctor: "cc": no argument is wanted

What is not here is told once, and is no failure; but one that was named is:

  $ cat > r.ppr <<'END'
  > routine r
  > node 1 x f32 [4] host
  > node 2 y f32 [4] observable
  > for i<4: y[i] = x[i] + x[i]
  > end
  > END
  $ poolproof run r.ppr --plan default --backend all
  r.ppr: routine r, 2 nodes, 1 statement, 1 step
    drawn: x (seed 1)
    backend      plan                     pools, bytes        of it working  owners   values
    cc           default                            80                   80  fine     agree
    multidev_cc  default                            80                   80  fine     agree
    opencl       not available here
    cuda         not available here
    y ends as: * (glob)
  agreed: 32 values compared on cc, multidev_cc; not available here: opencl, cuda
  $ poolproof run r.ppr --backend cc,cuda
  poolproof: cuda has no device to use: *(BKD-3) (glob)
  [2]
  $ cat > p.pprog <<'END'
  > # poolproof-backend: multidev_cc cuda
  > routine r
  > node 1 x f32 [4] host
  > node 2 y f32 [4] observable
  > for i<4: y[i] = x[i] + x[i]
  > end
  > root a 0
  > link b a r
  > upload b 1 7
  > run b
  > download b 2
  > END
  $ sed 's/: multidev_cc/:/' p.pprog > cuda.pprog
  $ grep -v backend p.pprog > any.pprog
  $ poolproof replay p.pprog cuda.pprog p.pprog
  p.pprog on multidev_cc: agreed, 10 steps and 3 values compared
  p.pprog on multidev_cc: agreed, 10 steps and 3 values compared
  skipped: 3 programs on cuda, which is not available here
  $ poolproof replay p.pprog --backend all
  p.pprog on cc: agreed, 10 steps and 3 values compared
  p.pprog on multidev_cc: agreed, 10 steps and 3 values compared
  skipped: 1 program on opencl, which is not available here
  skipped: 1 program on cuda, which is not available here
  $ poolproof replay p.pprog --backend cuda
  poolproof: cuda has no device to use: *(BKD-3) (glob)
  [2]
  $ POOLPROOF_BACKEND=cuda poolproof replay p.pprog any.pprog
  p.pprog on multidev_cc: agreed, 10 steps and 3 values compared
  poolproof: cuda has no device to use: *(BKD-3) (glob)
  [2]
  $ poolproof fuzz-runtime --backend opencl
  poolproof: opencl has no device to use: *(BKD-3) (glob)
  [2]
  $ poolproof fuzz-routine --backend cc,opencl
  poolproof: opencl has no device to use: *(BKD-3) (glob)
  [2]
  $ poolproof fuzz-routine --replay r.ppr --backend opencl
  poolproof: opencl has no device to use: *(BKD-3) (glob)
  [2]
  $ POOLPROOF_BACKEND=cuda poolproof fuzz-runtime
  poolproof: cuda has no device to use: *(BKD-3) (glob)
  [2]

Campaigns on several compare on each:

  $ poolproof fuzz-runtime --backend all --seed 1 --runs 30 --quiet | sed 's/in [0-9.]* s, [0-9,]* a/in T s, N a/'
  fuzz-runtime: seed 1, on cc (1 device), multidev_cc (4 devices)
  agreed: 30 programs compared on cc,multidev_cc in T s, N a second of a core
                                       cc  multidev_cc
    programs compared                  30           30
    steps compared                    866        1,294
    calls of the backend * (glob)
    faults that struck * (glob)
    values compared * (glob)
    steps skipped                     214            0
    programs undecided                  0
    not available here: opencl, cuda
  the same once more: poolproof fuzz-runtime --backend cc,multidev_cc --seed 1 --first 0 --runs 30
  $ poolproof fuzz-routine --seed 1 --runs 20 --quiet > out; echo $?; sed -n '/ on \|not available/p' out
  0
    links on cc                                 252
    nodes' values on cc                       2,763
    links on multidev_cc                        252
    nodes' values on multidev_cc              2,763
    not available here: opencl
    not available here: cuda
  $ poolproof fuzz-routine --seed 1 --runs 20 --backend cc,multidev_cc --quiet > named
  $ diff <(grep -v 'not available\|agreed\|again\|once more' out) <(grep -v 'agreed\|again\|once more' named)
  $ tail -1 named
  the same once more: poolproof fuzz-routine --backend cc,multidev_cc --seed 1 --first 0 --runs 20
