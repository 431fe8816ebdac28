# HINDSIGHT_PORTABLE (preset portable): agent, command and reader library that need only what glibc itself brings.
#
# The outside libraries are linked from archives under the names that the rest of the build uses. Most archives are
# Debian's. They are compiled for programs, not for shared libraries: that links because no symbol of theirs is exported
# (--exclude-libs, version scripts). Four are built from Debian's source packages: cJSON, civetweb and libzip (whose
# cryptography we do not need) have no archive, that of LMDB takes `stderr` as only a program can. THIRD_PARTY.md lists
# all; test/packages/one-file.sh looks at the result.
include(ExternalProject)
set(portable_root "${CMAKE_BINARY_DIR}/third_party")
set(HINDSIGHT_SOURCES "" CACHE PATH "Folder with the four source packages, unpacked (default: apt-get source)")

# portable_archive(NAME ARCHIVE [libraries]): what pkg-config's NAME is elsewhere
function(portable_archive name archive)
    add_library(PkgConfig::${name} STATIC IMPORTED GLOBAL)
    set_target_properties(PkgConfig::${name} PROPERTIES IMPORTED_LOCATION "${archive}"
        INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()
foreach(lib zstd xxhash pcre2-8 sqlite3 z)
    find_library(PORTABLE_${lib} "lib${lib}.a" REQUIRED)
endforeach()
portable_archive(libzstd "${PORTABLE_zstd}" Threads::Threads)
portable_archive(libxxhash "${PORTABLE_xxhash}")
portable_archive(libpcre2-8 "${PORTABLE_pcre2-8}")
portable_archive(sqlite3 "${PORTABLE_sqlite3}" m)
portable_archive(zlib "${PORTABLE_z}")

# ---- the source packages ---------------------------------------------------------------------------------------------
set(lmdb_source "${portable_root}/src/lmdb/libraries/liblmdb")
add_custom_command(OUTPUT "${portable_root}/src/unpacked" "${lmdb_source}/mdb.c" "${lmdb_source}/midl.c"
    COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/portable_sources.sh" "${portable_root}/src" "${HINDSIGHT_SOURCES}"
        cjson civetweb libzip lmdb
    DEPENDS "${PROJECT_SOURCE_DIR}/cmake/portable_sources.sh" COMMENT "Getting source packages of Debian" VERBATIM)
add_custom_target(portable_sources DEPENDS "${portable_root}/src/unpacked")

set(portable_flags -O2 -fPIC -fvisibility=hidden "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
add_library(portable_lmdb STATIC "${lmdb_source}/mdb.c" "${lmdb_source}/midl.c")
target_compile_options(portable_lmdb PRIVATE ${portable_flags} -w)
target_include_directories(portable_lmdb SYSTEM INTERFACE "${lmdb_source}")
target_link_libraries(portable_lmdb PUBLIC Threads::Threads)
add_library(PkgConfig::lmdb ALIAS portable_lmdb)

# portable_source(NAME PACKAGE ARCHIVE [options of its CMake])
function(portable_source name package archive)
    set(installed "${portable_root}/${package}")
    set(kept "")
    foreach(variable C_COMPILER C_COMPILER_LAUNCHER SYSTEM_NAME SYSTEM_PROCESSOR LIBRARY_ARCHITECTURE SYSROOT
            FIND_ROOT_PATH FIND_ROOT_PATH_MODE_PROGRAM FIND_ROOT_PATH_MODE_LIBRARY FIND_ROOT_PATH_MODE_INCLUDE)
        if(CMAKE_${variable})
            list(APPEND kept "-DCMAKE_${variable}=${CMAKE_${variable}}")
        endif()
    endforeach()
    list(JOIN portable_flags " " flags)
    file(MAKE_DIRECTORY "${installed}/include")
    ExternalProject_Add(portable_${package} SOURCE_DIR "${portable_root}/src/${package}" DEPENDS portable_sources
        BINARY_DIR "${portable_root}/build/${package}" STAMP_DIR "${portable_root}/stamp/${package}"
        TMP_DIR "${portable_root}/tmp" INSTALL_DIR "${installed}" DOWNLOAD_COMMAND "${CMAKE_COMMAND}" -E true
        CMAKE_ARGS ${kept} "-DCMAKE_INSTALL_PREFIX=${installed}" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=None
            "-DCMAKE_C_FLAGS=${flags}" -DBUILD_SHARED_LIBS=OFF -Wno-dev ${ARGN}
        BUILD_BYPRODUCTS "${installed}/lib/${archive}" LOG_CONFIGURE ON LOG_BUILD ON LOG_INSTALL ON
        LOG_OUTPUT_ON_FAILURE ON)
    portable_archive(${name} "${installed}/lib/${archive}")
    target_include_directories(PkgConfig::${name} INTERFACE "${installed}/include")
    add_dependencies(PkgConfig::${name} portable_${package})
endfunction()
portable_source(libcjson cjson libcjson.a -DENABLE_CJSON_TEST=OFF)
portable_source(libzip libzip libzip.a -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF
    -DENABLE_OPENSSL=OFF -DHAVE_ARC4RANDOM=0 -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DBUILD_TOOLS=OFF
    -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF)
set_property(TARGET PkgConfig::libzip APPEND PROPERTY INTERFACE_LINK_LIBRARIES PkgConfig::zlib)
portable_source(civetweb civetweb libcivetweb.a -DCIVETWEB_BUILD_TESTING=OFF -DCIVETWEB_ENABLE_SSL=OFF
    -DCIVETWEB_ENABLE_WEBSOCKETS=ON -DCIVETWEB_ENABLE_SERVER_EXECUTABLE=OFF -DCIVETWEB_ENABLE_ASAN=OFF)
set(CIVETWEB PkgConfig::civetweb)

# ---- their licences, for packages ------------------------------------------------------------------------------------
set(third_party_docs "${CMAKE_INSTALL_DATADIR}/doc/hindsight/third-party")
file(WRITE "${portable_root}/archives" "")
foreach(package libzstd-dev libxxhash-dev libpcre2-dev libsqlite3-dev zlib1g-dev)
    install(FILES "/usr/share/doc/${package}/copyright" DESTINATION "${third_party_docs}" RENAME "${package}" OPTIONAL)
    execute_process(COMMAND dpkg-query -W -f "\${Package} \${Version}\\n" ${package}
        OUTPUT_VARIABLE version ERROR_QUIET)
    file(APPEND "${portable_root}/archives" "${version}")
endforeach()
foreach(package lmdb cjson civetweb libzip)
    install(FILES "${portable_root}/src/${package}/debian/copyright" DESTINATION "${third_party_docs}"
        RENAME "${package}")
endforeach()
install(CODE "
    file(READ \"${portable_root}/archives\" archives)
    file(READ \"${portable_root}/src/unpacked\" sources)
    file(WRITE \"${portable_root}/versions\" \"\${archives}\${sources}\")
    foreach(package preact htm @codemirror/language @lezer/common @dagrejs/dagre)
        string(REPLACE / - name \${package})
        string(REPLACE @ \"\" name \${name})
        if(EXISTS \"${CMAKE_BINARY_DIR}/view/node_modules/\${package}/LICENSE\")
            file(INSTALL \"${CMAKE_BINARY_DIR}/view/node_modules/\${package}/LICENSE\"
                DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${third_party_docs}\" RENAME \${name})
        endif()
    endforeach()")
install(FILES "${portable_root}/versions" THIRD_PARTY.md DESTINATION "${third_party_docs}")
