Two real devices of OpenCL (PoCL on this processor) and the fake CUDA driver,
where both are here; the program itself says whether they are.

  $ unset OCL_ICD_VENDORS CUDA_VISIBLE_DEVICES
  $ export POCL_DEVICES='basic basic' FAKE_CUDA_DEVICES=2 LD_LIBRARY_PATH="$PP_BUILD/tests/fake"
  $ poolproof doctor --require opencl,cuda > doctor || exit 80
  $ grep -c 'works: 256 values agree' doctor
  9
  $ tail -1 doctor
  works here: cc, multidev_cc, opencl, cuda
  $ poolproof backends | cut -c 1-35 | tail -2
  opencl       -                    2
  cuda         -                    2

A backend's own alignment is what its bytes are scored with; a budget is kept
for each, or said not to be:

  $ cat > r.ppr <<'END'
  > routine r
  > node 1 x f32 [4] host
  > node 2 a f32 [4]
  > node 3 y f32 [4] observable
  > for i<4: a[i] = x[i] * x[i]
  > for i<4: y[i] = a[i] + a[3 - i]
  > end
  > END
  $ poolproof run r.ppr --plan default,materialise
  r.ppr: routine r, 3 nodes, 2 statements, 1 step
    drawn: x (seed 1)
    backend      plan                     pools, bytes        of it working  owners   values
    cc           default                            80                   80  fine     agree
    cc           all materialised                  144                  144  fine     agree
    multidev_cc  default                            80                   80  fine     agree
    multidev_cc  all materialised                  144                  144  fine     agree
    opencl       default                           144                  144  fine     agree
    opencl       all materialised                  272                  272  fine     agree
    cuda         default                           272                  272  fine     agree
    cuda         all materialised                  528                  528  fine     agree
    y ends as: 3.125 13.515625 13.515625 3.125
  agreed: 128 values compared on cc, multidev_cc, opencl, cuda
  $ poolproof run r.ppr --plan default --budget 150
  r.ppr: routine r, 3 nodes, 2 statements, 1 step
    drawn: x (seed 1)
    baseline                               80 B          80 B
    final                                  80 B          80 B  within the budget
    backend      plan                     pools, bytes        of it working  owners   values
    cc           fitted                             80                   80  fine     agree
    multidev_cc  fitted                             80                   80  fine     agree
    opencl       fitted                            144                  144  fine     agree
    cuda         fitted                            272                  272  fine     agree
      NOT within the budget, offsets being multiples of 256
    y ends as: 3.125 13.515625 13.515625 3.125
  agreed: 64 values compared on cc, multidev_cc, opencl, cuda
  [1]

Each program and routine runs on all; those with a driver take a share of the
routines, but every way where they are named:

  $ poolproof fuzz-runtime --backend all --seed 1 --runs 40 --quiet | sed -n '1p;/programs compared   /p;/skipped/p'
  fuzz-runtime: seed 1, on cc (1 device), multidev_cc (4 devices), opencl (2 devices), cuda (2 devices)
    programs compared                  40           40           40           40
    steps skipped                     314            0           88           88
  $ poolproof fuzz-routine --seed 1 --runs 20 --quiet | grep ' on '
    links on cc                                 252
    nodes' values on cc                       2,763
    links on multidev_cc                        252
    nodes' values on multidev_cc              2,763
    links on opencl                              49
    nodes' values on opencl                     527
    links on cuda                                49
    nodes' values on cuda                       527
  $ poolproof fuzz-routine --seed 1 --runs 20 --quiet --backend cc,opencl,cuda | grep ' on '
    links on cc                                 252
    nodes' values on cc                       2,763
    links on opencl                             252
    nodes' values on opencl                   2,763
    links on cuda                               252
    nodes' values on cuda                     2,763
  $ poolproof replay "$TESTDIR"/../../corpus/programs/*.pprog > out; echo $?
  0
  $ for b in cc multidev_cc opencl cuda; do echo $b $(grep -c " on $b: agreed" out); done
  cc 11
  multidev_cc 12
  opencl 12
  cuda 12

A driver that refuses is no device; the sentence has its words:

  $ FAKE_CUDA_INIT=999 poolproof run r.ppr --backend cuda
  poolproof: cuda has no device to use: no such device: cuInit: CUDA_ERROR_UNKNOWN (999) (BKD-3)
  [2]
  $ FAKE_CUDA_INIT=999 poolproof run r.ppr --plan default | tail -1
  agreed: 48 values compared on cc, multidev_cc, opencl; not available here: cuda
