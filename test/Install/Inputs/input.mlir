func.func @consumer(%x: f16) -> (f16, f32) {
  %0 = amp.cast %x : f16 to f16
  %1 = amp.cast %x : f16 to f32
  return %0, %1 : f16, f32
}
