# cmake -D INPUT=file -D OUTPUT=file.inc -P EmbedFile.cmake
# Writes the bytes of a file as the elements of an array of unsigned char.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}")
