  $ poolproof backends
  name         alias          devices      max pool, bytes alignment work   what it is
  cc           sync_cc              1  9223372036854775807        64 sync   this processor, one synchronous device
  multidev_cc  multicore_cc         4  9223372036854775807        64 async  this processor as several devices, a worker thread each
  $ poolproof backends --names
  cc
  multidev_cc
  $ poolproof backends cc > out 2> err
  [2]
