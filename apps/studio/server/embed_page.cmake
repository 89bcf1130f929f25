# cmake -D FOLDER=... -D OUTPUT=....cpp -P embed_page.cmake: writes C++ that carries every file below FOLDER inside the
# program. OUTPUT is touched only when a file was added, removed or changed.
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(symbols "")
set(entries "")
set(index 0)
foreach(name IN LISTS files)
  # The hash makes the compiler look again: it does not know what .incbin reads.
  file(SHA256 ${FOLDER}/${name} hash)
  string(APPEND symbols "// ${hash}
asm(\".section .rodata\\n.balign 16\\nknead_page_${index}:\\n.incbin \\\"${FOLDER}/${name}\\\"\\n\"
    \"knead_page_${index}_end:\\n.byte 0\\n.previous\\n\");
extern const char knead_page_${index}[] asm(\"knead_page_${index}\") __attribute__((visibility(\"hidden\")));
extern const char knead_page_${index}_end[] asm(\"knead_page_${index}_end\") __attribute__((visibility(\"hidden\")));
")
  string(APPEND entries
    "        {\"/${name}\", {knead_page_${index}, static_cast<std::size_t>(knead_page_${index}_end - knead_page_${index})}},\n")
  math(EXPR index "${index} + 1")
endforeach()
if(index EQUAL 0)
  set(body "    return {};\n")
else()
  set(body "    static const EmbeddedFile files[] = {\n${entries}    };\n    return files;\n")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "#include \"embedded_files.hpp\"

${symbols}
namespace knead::studio {

std::span<const EmbeddedFile> embedded_files() {
${body}}

} // namespace knead::studio
")
