// The pieces of the payload: base 64, inflated, and columns of varints.

/** The bytes of a base 64 text that holds a zlib stream. */
export async function unpack(text: string): Promise<Uint8Array> {
  const packed = fromBase64(text);
  const inflated = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(inflated).arrayBuffer());
}

function fromBase64(text: string): Uint8Array {
  const decoder = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
  if (decoder.fromBase64) return decoder.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Reads numbers of seven bits a byte, the lowest first. */
export class Varints {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}

  next(): number {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    byte = bytes[this.at++];
    value |= (byte & 0x7f) << 7;
    if (byte < 0x80) return value;
    byte = bytes[this.at++];
    value |= (byte & 0x7f) << 14;
    if (byte < 0x80) return value;
    byte = bytes[this.at++];
    value |= (byte & 0x7f) << 21;
    // Beyond 28 bits the operators on 32-bit integers do not reach.
    for (let unit = 2 ** 28; byte >= 0x80; unit *= 128) {
      byte = bytes[this.at++];
      value += (byte & 0x7f) * unit;
    }
    return value;
  }

  /** A number that was written with its sign in the lowest bit. */
  difference(): number {
    const number = this.next();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  /** The same for up to 64 bits. */
  bigDifference(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
    }
  }

  take(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}
