import { isIP } from 'node:net'
import { guardedLookup, isInternalAddress } from '@trestle/runtime/internal-address'
import { Agent, request } from 'undici'
import { isLoopback, isProviderUrl } from './provider-settings.js'
import { providerUnavailable } from './sign-in-attempt.js'

const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 5000
const NULL_BODY = new Set([204, 205, 304])

interface ProviderRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: { toString(): string } | null
  readonly signal?: AbortSignal
}

/**
 * Requests to one identity provider. The operator chose its own hosts, which may be internal; what its documents lead to may not be, nor may it
 * redirect, send much, or take long.
 */
export class ProviderConnection {
  private readonly agent: Agent

  constructor(
    private readonly ownHosts: ReadonlySet<string>,
    private readonly allowsLoopback: boolean,
  ) {
    // No connection is kept: sign-ins are rare, and each looks the name up again.
    this.agent = new Agent({
      pipelining: 0,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connect: { lookup: guardedLookup((host, address) => this.mayConnect(host, address)), timeout: TIMEOUT_MS },
    })
  }

  /** Whether the platform, or a browser, may be led to this URL. */
  mayCall(url: URL): boolean {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return isProviderUrl(url, this.allowsLoopback) && (isIP(host) === 0 || this.mayConnect(url.hostname, host))
  }

  /** As `fetch`, without redirects and decompression. Problem `ProviderUnavailable` where there is no answer to use. */
  async fetch(address: string, { method, headers, body, signal }: ProviderRequest): Promise<Response> {
    const url = new URL(address)
    if (!this.mayCall(url)) throw providerUnavailable({ cause: new Error(`${url.origin} may not be called`) })
    try {
      const deadline = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])])
      const answer = await request(url, {
        dispatcher: this.agent,
        method: method as 'GET',
        headers: { ...headers, 'accept-encoding': 'identity' },
        body: body?.toString() ?? null,
        signal: deadline,
      })
      const bytes = await bounded(answer.body)
      const received = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      )
      return new Response(NULL_BODY.has(answer.statusCode) ? null : bytes, { status: answer.statusCode, headers: received })
    } catch (error) {
      throw providerUnavailable({ cause: error })
    }
  }

  private mayConnect(host: string, address: string): boolean {
    if (this.ownHosts.has(host) || (this.allowsLoopback && isLoopback(address))) return true
    return !isInternalAddress(address)
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    // Leaving the loop destroys the stream.
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
