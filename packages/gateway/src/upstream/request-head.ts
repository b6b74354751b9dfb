const PATH = /^\/[\x21-\x7e]*$/
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const VALUE = /^[\t\x20-\x7e]*$/
// Written by the transport, by what it knows of the connection and the body.
const RESERVED = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

/** A request without its body. Requests that differ in the body only share one head. */
export class RequestHead {
  readonly requestLine: string
  readonly fieldLines: string

  /** The headers are names and values in turn. Throws where they, or the path, could be read as more than that. */
  constructor(
    readonly method: 'GET' | 'POST',
    readonly path: string,
    readonly headers: readonly string[],
  ) {
    if (!PATH.test(path)) throw new TypeError('The path of a request has a character that does not belong there.')
    this.requestLine = `${method} ${path} HTTP/1.1\r\n`
    let lines = ''
    for (let i = 0; i < headers.length; i += 2) lines += fieldLine(headers[i], headers[i + 1])
    this.fieldLines = lines
  }
}

function fieldLine(name = '', value = ''): string {
  if (!NAME.test(name) || RESERVED.has(name.toLowerCase())) throw new TypeError(`A request cannot have a header named "${name}".`)
  // The value may be a credential.
  if (!VALUE.test(value)) throw new TypeError(`The value of the header "${name}" has a character that does not belong there.`)
  return `${name}: ${value}\r\n`
}

/** HTTP's Basic credentials (RFC 7617). */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
