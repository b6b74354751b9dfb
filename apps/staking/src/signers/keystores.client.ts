import { JsonHttpClient, type JsonRequest } from '../chains/json-http.client.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { type JsonResponse, readAnswer } from '../chains/upstream-json.js'
import { DeletionResponse, ImportResponse, KeystoresResponse, keyPath } from './keymanager-responses.js'
import type { KeyImport } from './signer.js'

// The signer decrypts each keystore that it imports.
const IMPORT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024
const DELETED = new Set(['deleted', 'not_active', 'not_found'])

/** A signer with `/eth/v1/keystores`, which validator clients and web3signer share (github.com/ethereum/keymanager-APIs). */
export abstract class KeystoresClient {
  private readonly http: JsonHttpClient

  constructor(
    url: string,
    protected readonly name: string,
  ) {
    this.http = new JsonHttpClient(url, name)
  }

  async list(): Promise<Buffer[]> {
    return readAnswer(KeystoresResponse, await this.ask({ path: '/eth/v1/keystores', maxBytes: MAX_BYTES }), this.name)
  }

  async import({ keystore, password, slashingProtection }: KeyImport): Promise<void> {
    const body = { keystores: [keystore], passwords: [password], slashing_protection: slashingProtection }
    const answer = await this.ask({ method: 'POST', path: '/eth/v1/keystores', body, timeoutMs: IMPORT_MS })
    const { status, message } = readAnswer(ImportResponse, answer, this.name)
    if (status !== 'imported' && status !== 'duplicate') throw this.failure('did not import the key', message)
  }

  /** A deletion counts only when the key is no longer listed: some clients report success for any key. */
  async remove(pubkey: Buffer): Promise<string> {
    const body = { pubkeys: [keyPath(pubkey)] }
    const answer = await this.ask({ method: 'DELETE', path: '/eth/v1/keystores', body, timeoutMs: IMPORT_MS, maxBytes: MAX_BYTES })
    const { status, message, slashingProtection } = readAnswer(DeletionResponse, answer, this.name)
    if (!DELETED.has(status)) throw this.failure('did not delete the key', message)
    const held = await this.list()
    if (held.some((key) => key.equals(pubkey))) throw this.failure(`reports ${status} for a key that it still lists`)
    return slashingProtection
  }

  close(): Promise<void> {
    return this.http.close()
  }

  protected ask(request: JsonRequest): Promise<JsonResponse> {
    return this.http.request(request)
  }

  private failure(what: string, message = 'no reason given'): UpstreamUnavailable {
    return new UpstreamUnavailable(`${this.name} ${what}: ${message.slice(0, 200)}`)
  }
}
