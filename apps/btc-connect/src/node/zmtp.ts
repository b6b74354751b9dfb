// The part of ZMTP 3.0 (https://rfc.zeromq.org/spec/23/) that a subscriber without authentication needs.

export interface ZmtpFrame {
  readonly command: boolean
  /** Whether another frame of the same message follows. */
  readonly more: boolean
  readonly body: Buffer
}

export class ZmtpError extends Error {
  override readonly name = 'ZmtpError'
}

const MORE = 1
const LONG = 2
const COMMAND = 4
const GREETING_LENGTH = 64
// The longest message that is subscribed to is a hash with a sequence number.
const MAX_FRAME = 64 * 1024

/** Signature, version 3.0, the NULL mechanism, as a client. */
export function clientGreeting(): Buffer {
  const bytes = Buffer.alloc(GREETING_LENGTH)
  bytes[0] = 0xff
  bytes[9] = 0x7f
  bytes[10] = 3
  bytes.write('NULL', 12)
  return bytes
}

/** The command that completes the handshake, with our socket type. */
export function readyCommand(): Buffer {
  const value = Buffer.from('SUB')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(value.length)
  return frame(COMMAND, Buffer.concat([named('READY'), named('Socket-Type'), length, value]))
}

/** Subscribes to every message with this prefix. */
export function subscription(prefix: string): Buffer {
  return frame(0, Buffer.concat([Buffer.of(1), Buffer.from(prefix)]))
}

/** The name of a command frame. */
export function commandName({ body }: ZmtpFrame): string {
  return body.toString('latin1', 1, 1 + (body[0] ?? 0))
}

/** The complete frames in the bytes received so far, and the remaining bytes. */
export function readFrames(bytes: Buffer): { frames: ZmtpFrame[]; rest: Buffer } {
  const frames: ZmtpFrame[] = []
  let rest = bytes
  for (;;) {
    const head = headOf(rest)
    if (!head || rest.length < head.length + head.size) return { frames, rest }
    const end = head.length + head.size
    frames.push({ command: (head.flags & COMMAND) !== 0, more: (head.flags & MORE) !== 0, body: rest.subarray(head.length, end) })
    rest = rest.subarray(end)
  }
}

/** The bytes after the peer's greeting; undefined while it is incomplete. */
export function readGreeting(bytes: Buffer): Buffer | undefined {
  if (bytes.length > 0 && bytes[0] !== 0xff) throw new ZmtpError('The peer does not speak ZMTP.')
  if (bytes.length < GREETING_LENGTH) return undefined
  if ((bytes[10] ?? 0) < 3) throw new ZmtpError('The peer speaks a ZMTP older than 3.')
  if (bytes.toString('latin1', 12, 16) !== 'NULL' || bytes[16] !== 0) throw new ZmtpError('The peer requires a mechanism other than NULL.')
  return bytes.subarray(GREETING_LENGTH)
}

function headOf(bytes: Buffer): { flags: number; size: number; length: number } | undefined {
  const flags = bytes[0] ?? 0
  const length = flags & LONG ? 9 : 2
  if (bytes.length < length) return undefined
  const size = flags & LONG ? Number(bytes.readBigUInt64BE(1)) : bytes.readUInt8(1)
  if (size > MAX_FRAME) throw new ZmtpError(`The peer sends a frame of ${size} bytes.`)
  return { flags, size, length }
}

function frame(flags: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(flags, body.length), body])
}

function named(name: string): Buffer {
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name)])
}
