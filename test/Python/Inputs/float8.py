"""Prints functions that give a vector of each narrow float type as it is, and as f32."""
for name in "bf16 f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ f8E4M3B11FNUZ f8E4M3 f8E3M4".split():
    print(f"""func.func @{name}(%x: tensor<?x{name}>) -> (tensor<?x{name}>, tensor<?xf32>) {{
  %w = arith.extf %x : tensor<?x{name}> to tensor<?xf32>
  return %x, %w : tensor<?x{name}>, tensor<?xf32>
}}""")
# Powers of two, which nothing computes with.
print("""func.func @f8E8M0FNU(%x: tensor<?xf8E8M0FNU>) -> tensor<?xf8E8M0FNU> {
  return %x : tensor<?xf8E8M0FNU>
}""")
