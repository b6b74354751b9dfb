import type { IncomingMessage } from 'node:http'
import { Agent, get } from 'node:https'
import { isIP } from 'node:net'
import { guardedLookup } from '@trestle/runtime/internal-address'
import { mayReach } from './token-settings.js'

const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5_000

/** Fetches key sets from hosts that users have named: over TLS, from the internet only, no redirects, little, and in time. */
export class KeySetClient {
  private readonly agent: Agent

  constructor(
    private readonly allowsLoopback: boolean,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    // A connection goes to the address that was looked at, and is not kept: the next one looks the name up again.
    const lookup = guardedLookup((_, address) => mayReach(address, allowsLoopback))
    this.agent = new Agent({ keepAlive: false, lookup })
  }

  /** Rejects with an error whose message may be shown to whoever named the host. */
  async fetch(address: string): Promise<string> {
    const url = new URL(address)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (url.protocol !== 'https:' || (isIP(host) !== 0 && !mayReach(host, this.allowsLoopback))) throw new Error('it may not be fetched')
    const signal = AbortSignal.timeout(this.timeoutMs)
    try {
      return await this.read(url, signal)
    } catch (error) {
      throw signal.aborted ? new Error('it took too long', { cause: error }) : error
    }
  }

  private async read(url: URL, signal: AbortSignal): Promise<string> {
    const headers = { accept: 'application/jwk-set+json, application/json', 'accept-encoding': 'identity' }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { agent: this.agent, headers, signal, maxHeaderSize: 16 * 1024 }, resolve).on('error', reject)
    })
    try {
      if (response.statusCode !== 200) throw new Error(`it was answered with ${response.statusCode}`)
      return await bounded(response)
    } finally {
      response.destroy()
    }
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
