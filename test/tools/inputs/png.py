"""Prints the size and the pixels of a grey PNG file, after a check of its chunks."""
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
chunks, at = [], 8
while at < len(data):
    length, name = struct.unpack(">I4s", data[at:at + 8])
    content = data[at + 8:at + 8 + length]
    assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + content)
    chunks.append((name, content))
    at += 12 + length
assert [name for name, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
width, height, *kind = struct.unpack(">IIBBBBB", chunks[0][1])
assert kind == [8, 0, 0, 0, 0]
pixels = zlib.decompress(chunks[1][1])
assert len(pixels) == height * (width + 1)
print(width, "x", height)
for y in range(height):
    row = pixels[y * (width + 1):(y + 1) * (width + 1)]
    assert row[0] == 0
    print(*row[1:])
