import type { IncomingHttpHeaders } from 'node:http'

// Those geth accepts; every JSON-RPC client sends one of them.
const TYPES = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/** Whether a body of this content type is JSON. */
export function isJson(contentType: string | undefined): boolean {
  // Nearly every client sends exactly this.
  if (contentType === 'application/json') return true
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return type !== undefined && TYPES.has(type)
}

/** Whether a body came with a content coding, which no JSON-RPC client uses. */
export function isEncoded({ 'content-encoding': coding }: IncomingHttpHeaders): boolean {
  return coding !== undefined && coding !== 'identity'
}
