// https://www.postgresql.org/docs/current/protocol-message-formats.html: a field is its length, then its bytes, big-endian.

const START_BYTES = 64 * 1024
const TWO_32 = 2 ** 32

/** Fields in Postgres's binary format, in one buffer that grows and is reused. */
export class BinaryFields {
  private bytes = Buffer.allocUnsafeSlow(START_BYTES)
  private view = viewOf(this.bytes)
  private end = 0
  private count = 0

  /** Bytes written so far. */
  get length(): number {
    return this.end
  }

  /** Fields written so far. */
  get size(): number {
    return this.count
  }

  int4(value: number): void {
    const at = this.field(4)
    this.view.setInt32(at, value)
  }

  /** A safe integer. */
  int8(value: number): void {
    const at = this.field(8)
    const low = value >>> 0
    this.view.setInt32(at, (value - low) / TWO_32)
    this.view.setUint32(at + 4, low)
  }

  bigint(value: bigint): void {
    const at = this.field(8)
    this.view.setBigInt64(at, value)
  }

  /** A bytea or a uuid. */
  binary(value: Uint8Array): void {
    const at = this.field(value.length)
    this.bytes.set(value, at)
  }

  null(): void {
    this.reserve(4)
    this.view.setInt32(this.end, -1)
    this.end += 4
    this.count += 1
  }

  /** For COPY: starts a row of this many fields. */
  row(fields: number): void {
    this.reserve(2)
    this.view.setInt16(this.end, fields)
    this.end += 2
  }

  /** All that was written; valid until the next write. */
  contents(): Buffer {
    return this.bytes.subarray(0, this.end)
  }

  clear(): void {
    this.end = 0
    this.count = 0
  }

  private field(length: number): number {
    this.reserve(4 + length)
    this.view.setInt32(this.end, length)
    const at = this.end + 4
    this.end = at + length
    this.count += 1
    return at
  }

  private reserve(length: number): void {
    if (this.end + length <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.end + length))
    this.bytes.copy(grown, 0, 0, this.end)
    this.bytes = grown
    this.view = viewOf(grown)
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

// pg_type.dat: these numbers are the same on every server.
const OID = { bytea: 17, int8: 20, int4: 23, uuid: 2950 }

/** The fields as a parameter `$1::bytea[]`, `$1::int8[]`, ...: pg passes a Buffer on as it is. */
export function arrayParameter(type: keyof typeof OID, fields: BinaryFields): Buffer {
  const header = Buffer.alloc(20)
  header.writeInt32BE(fields.size === 0 ? 0 : 1)
  header.writeInt32BE(OID[type], 8)
  header.writeInt32BE(fields.size, 12)
  header.writeInt32BE(1, 16)
  return fields.size === 0 ? header.subarray(0, 12) : Buffer.concat([header, fields.contents()])
}
