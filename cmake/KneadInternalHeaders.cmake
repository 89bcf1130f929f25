# Headers between the readers and writers of io/: not installed, included by no header that is, and free to mention
# outside libraries.
set(knead_internal_headers
  "/io/(byte_reader|cache_formats|formats|frame_spool|gltf_[a-z]+|ply_header|text_reader|text_writer|weld)\\.hpp")
