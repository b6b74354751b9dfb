import { JsonHttpClient, type JsonRequest } from '../chains/json-http.client.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { type JsonResponse, readAnswer } from '../chains/upstream-json.js'
import { DeletionResponse, ImportResponse, KeystoresResponse, keyPath } from './keymanager-responses.js'
import { OtherSigner } from './other-signer.js'
import type { KeyImport } from './signer.js'

// The signer decrypts each keystore that it imports.
const IMPORT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024
const DELETED = new Set(['deleted', 'not_active', 'not_found'])

/** A signer with `/eth/v1/keystores`, which validator clients and web3signer share (github.com/ethereum/keymanager-APIs). */
export abstract class KeystoresClient {
  protected boundTo?: string
  private http: JsonHttpClient
  private serverKey?: string

  constructor(
    private readonly url: string,
    protected readonly name: string,
  ) {
    this.http = this.connect()
  }

  async identity(): Promise<string> {
    return this.serverKey ? `tls:${this.serverKey}` : 'none'
  }

  /** Over new connections: those that are open may lead to the former signer. */
  async bindTo(identity: string | undefined): Promise<void> {
    if (identity === this.boundTo) return
    this.boundTo = identity
    const former = this.http
    this.http = this.connect()
    await former.close()
  }

  async list(): Promise<Buffer[]> {
    return readAnswer(KeystoresResponse, await this.ask({ path: '/eth/v1/keystores', maxBytes: MAX_BYTES }), this.name)
  }

  async import({ keystore, password, slashingProtection }: KeyImport): Promise<void> {
    await this.checkIdentity()
    const body = { keystores: [keystore], passwords: [password], slashing_protection: slashingProtection }
    const answer = await this.ask({ method: 'POST', path: '/eth/v1/keystores', body, timeoutMs: IMPORT_MS })
    const { status, message } = readAnswer(ImportResponse, answer, this.name)
    if (status !== 'imported' && status !== 'duplicate') throw this.failure('did not import the key', message)
  }

  /** A deletion counts only when the key is no longer listed: some clients report success for any key. */
  async remove(pubkey: Buffer): Promise<string> {
    await this.checkIdentity()
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

  private async checkIdentity(): Promise<void> {
    const identity = await this.identity()
    if (this.boundTo !== undefined && identity !== this.boundTo) throw new OtherSigner(this.name, identity)
  }

  private connect(): JsonHttpClient {
    return new JsonHttpClient(this.url, this.name, (fingerprint) => {
      this.serverKey = fingerprint
      const identity = `tls:${fingerprint}`
      if (this.boundTo?.startsWith('tls:') && identity !== this.boundTo) throw new OtherSigner(this.name, identity)
    })
  }

  private failure(what: string, message = 'no reason given'): UpstreamUnavailable {
    return new UpstreamUnavailable(`${this.name} ${what}: ${message.slice(0, 200)}`)
  }
}
