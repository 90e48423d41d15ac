# Who may include whom. Run by ctest:  cmake -DROOT=<source folder> -P tests/layering.cmake

# Every #include in `folder` that matches `what` is an error, unless it also matches `but`.
function(forbid folder what why)
    set(but "${ARGN}")
    file(GLOB_RECURSE files "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        file(STRINGS "${file}" hits REGEX "^ *# *include *${what}")
        foreach(hit IN LISTS hits)
            if(but AND hit MATCHES "${but}")
                continue()
            endif()
            message(SEND_ERROR "${file}: ${hit}\n  ${why}")
        endforeach()
    endforeach()
endfunction()

set(codecs [=[<(zstd|zlib|lzma|babeltrace2)]=])
set(qt [=[[<"](Q[A-Z]|Qt|qcustomplot)]=])

forbid(model     [=["(importers|app|tests)/]=]  "model/ knows nobody above it")
forbid(model     "${qt}"                        "model/ is free of Qt")
forbid(model     "${codecs}"                    "model/ is free of every format")
forbid(importers [=["(app|tests)/]=]            "importers/ do not know the app")
forbid(importers "${qt}"                        "importers/ are free of Qt")
forbid(app       [=["importers/]=]              "app/ sees importers/load.h, registry.h and importer.h only"
                 [=["importers/(load|registry|importer)\.h"]=])
forbid(app       "${codecs}"                    "app/ leaves formats to importers/")
forbid(app/cli   "${qt}"                        "the command line runs without Qt")
forbid(app/cli   [=["app/window/]=]             "the command line does not know the window")
forbid(app/chart [=["app/(cli|window)/]=]      "charts know neither the command line nor the window")
forbid(app/chart [=["importers/]=]             "charts draw what others have loaded")
forbid(app/window [=["app/cli/]=]               "the window does not know the command line")
