"""The extensions that make a bare name a file name.

"e.g.", "Node.js 20", "obj.method" and version numbers also contain dots. Files with other extensions can
still be cited together with their folder.
"""

from __future__ import annotations

EXTENSIONS = frozenset(
    """
    adoc asm astro bash bat bicep c cc cfg cjs clj cls cmake cmd conf config cpp cs csproj css csv cts cu cxx
    dart db diff dockerfile ejs env erl ex exs f90 feature fs fsx gd gemspec glsl go gradle graphql groovy gz h
    handlebars hbs hcl hpp hrl hs htm html hxx icns ico idl iml ini ino ipynb java jinja jinja2 jl jpeg jpg js
    json json5 jsonc jsonl jsx kt kts less liquid lock log lua m m4 make mako map md mdc mdx mjs mk ml mli mm
    mod mts nix njk nu patch pbxproj php pl plist pm png po prisma properties proto ps1 psd1 psm1 pug py pyi pyx
    r rake rb rego res resx rmd rs rst sass sbt scala scm scss sh sln slnx sol sql sqlite sqlite3 star styl sum
    sv svelte svg swift tcl template tex tf tfvars thrift tmpl toml ts tsv tsx ttf twig txt url v va vb vbs
    dll exe so dylib jar war apk ipa dat bin pdb lib pdf docx xlsx pptx manifest ttc otf mp3 mp4 wav gif bmp gz tar
    onnx safetensors parquet npz npy pkl ckpt pem crt key csr p12 sarif vams va cir sp spice lef def gds kicad_sch
    vcxproj vert vhd vue wasm wat webp woff woff2 xaml xcconfig xml xsd xsl yaml yml zig zip zon zsh
    arb asmdef avsc bazel bzl cabal cshtml eex elm entitlements erb fbs fish frag fsproj gdshader gni gohtml haml heex
    hlsl j2 leex mdoc metal mjml mustache nim nims nuspec podspec purs pyproj razor sqlproj storyboard stringsdict surql
    svh tftpl tres tscn vbproj wgsl wxs xcscheme xcstrings xib
    """.split()  # noqa: SIM905 - a list of 200 lines reads worse
)
