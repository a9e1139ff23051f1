# cmake -P embed.cmake OUT TEXT...: each text file as a C string
# pp_text_<its name, "." as "_">, declared by kernels/texts.h.
set(out ${CMAKE_ARGV3})
set(code "#include \"kernels/texts.h\"\n")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 4 ${last})
  file(READ ${CMAKE_ARGV${i}} hex HEX)
  get_filename_component(name ${CMAKE_ARGV${i}} NAME)
  string(MAKE_C_IDENTIFIER pp_text_${name} name)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND code "const char ${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${out} "${code}")
