import { brotliDecompress, gunzip } from 'node:zlib'
import { malformed, TransportFault } from './transport-fault.js'

/** What `decodeBody` undoes (RFC 9110 section 8.4.1). */
export const ACCEPTED_CODINGS = 'gzip, br'

const DECODERS = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', brotliDecompress],
])

/** Undoes the coding, up to so many bytes: a small body may become a large one. */
export function decodeBody(
  body: Buffer,
  coding: string,
  maxBytes: number,
  done: (fault: TransportFault | undefined, body?: Buffer) => void,
): void {
  const name = coding.toLowerCase()
  const decode = DECODERS.get(name)
  if (name === 'identity') done(undefined, body)
  else if (decode)
    decode(body, { maxOutputLength: maxBytes }, (error, decoded) => done(error ? faultOf(error, maxBytes) : undefined, decoded))
  else done(malformed('a content coding that was not asked for'))
}

function faultOf({ code }: NodeJS.ErrnoException, maxBytes: number): TransportFault {
  if (code === 'ERR_BUFFER_TOO_LARGE') return new TransportFault('too-large', `sent more than ${maxBytes} bytes`)
  return malformed('a body that is not in its coding')
}
