# Builds the report page's parts from web/ with npm and esbuild and puts them into the library: the script with its charts, the
# style, the page's frame, and the licence texts of what the script contains.
find_program(NPM npm)
find_program(NODE NAMES node nodejs)
if(NOT NPM OR NOT NODE)
  message(FATAL_ERROR "The report page needs npm and node (18 or newer) to build, and they were not found. "
    "Install them (Debian: apt install npm) and run cmake again.")
endif()

set(web ${PROJECT_SOURCE_DIR}/web)
set(page ${CMAKE_CURRENT_BINARY_DIR}/page)
set(modules ${page}/node_modules)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*.js)

# The packages are installed beside the build, never into the source tree. Their install scripts do not run.
add_custom_command(OUTPUT ${page}/installed
  COMMAND ${CMAKE_COMMAND} -E make_directory ${page}
  COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${page}
  COMMAND ${CMAKE_COMMAND} -E chdir ${page} ${NPM} ci --ignore-scripts --no-progress --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${page}/installed
  DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
  COMMENT "Installing the report page's packages" VERBATIM)

set(esbuild ${CMAKE_COMMAND} -E env NODE_PATH=${modules} ${NODE} ${modules}/esbuild/bin/esbuild
  --minify --legal-comments=none --log-level=warning --charset=utf8)
add_custom_command(OUTPUT ${page}/page.js
  COMMAND ${esbuild} ${web}/src/main.js --bundle --format=iife --target=es2020 --outfile=${page}/page.js
  DEPENDS ${page}/installed ${web_sources}
  COMMENT "Bundling the report page's script" VERBATIM)
add_custom_command(OUTPUT ${page}/page.css
  COMMAND ${esbuild} ${web}/src/style.css --outfile=${page}/page.css
  DEPENDS ${page}/installed ${web}/src/style.css VERBATIM)
add_custom_command(OUTPUT ${page}/licences.txt
  COMMAND ${NODE} ${web}/licences.js ${modules} ${page}/licences.txt
  DEPENDS ${page}/installed ${web}/licences.js VERBATIM)

set(assets ${page}/page.js ${page}/page.css ${page}/licences.txt ${web}/src/page.html)
set(assembly ".section .note.GNU-stack,\"\",@progbits\n.section .rodata\n")
foreach(asset IN ITEMS "page_script;${page}/page.js" "page_style;${page}/page.css"
    "page_licences;${page}/licences.txt" "page_frame;${web}/src/page.html")
  list(GET asset 0 symbol)
  list(GET asset 1 file)
  foreach(edge begin end)
    string(APPEND assembly ".global evenbench_${symbol}_${edge}\n")
  endforeach()
  string(APPEND assembly "evenbench_${symbol}_begin:\n.incbin \"${file}\"\nevenbench_${symbol}_end:\n.byte 0\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/page_assets.S CONTENT "${assembly}" @ONLY)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/page_assets.S PROPERTIES OBJECT_DEPENDS "${assets}")
target_sources(evenbench_report PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_assets.S)

if(EVENBENCH_TESTS)
  file(GLOB web_tests CONFIGURE_DEPENDS ${web}/test/*.test.js)
  add_test(NAME unit.page COMMAND ${NODE} --test ${web_tests})
  set_tests_properties(unit.page PROPERTIES LABELS unit TIMEOUT 60)
endif()
