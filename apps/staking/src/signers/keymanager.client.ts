import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { formatAddress } from '@trestle/ethereum/address'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { codeOf } from '@trestle/problem/thrown'
import type { SignerSettings } from '../chains/chain-settings.js'
import type { JsonRequest } from '../chains/json-http.client.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { type JsonResponse, readAnswer, reasonIn } from '../chains/upstream-json.js'
import { FeeRecipientResponse, keyPath, SignedExitResponse } from './keymanager-responses.js'
import { KeystoresClient } from './keystores.client.js'
import { OtherSigner } from './other-signer.js'
import type { SignerClient } from './signer.js'

type KeymanagerSettings = Extract<SignerSettings, { kind: 'keymanager' }>

// 404 and 405 from an older client, 501 from one that has it disabled.
const UNSUPPORTED = new Set([404, 405, 501])

/** A validator client with the Keymanager API. */
export class KeymanagerClient extends KeystoresClient implements SignerClient {
  readonly keepsFeeRecipients = true
  private readonly tokenFile: string
  private token?: Promise<string>

  constructor({ url, tokenFile }: KeymanagerSettings, name: string) {
    super(url, name)
    this.tokenFile = tokenFile
  }

  /** Who accepts the token has generated it, or has been given it. */
  override async identity(): Promise<string> {
    const shown = await super.identity()
    return shown === 'none' ? `token:${fingerprintOf(await this.currentToken())}` : shown
  }

  async feeRecipient(pubkey: Buffer): Promise<Buffer | undefined> {
    const answer = await this.ask({ path: `/eth/v1/validator/${keyPath(pubkey)}/feerecipient` })
    // Some have the key and send 404 or 500 until an address is set for it.
    if (answer.status === 404 || (answer.status === 500 && /fee.?recipient/i.test(answer.text))) return undefined
    return readAnswer(FeeRecipientResponse, answer, this.name)
  }

  async setFeeRecipient(pubkey: Buffer, address: Buffer): Promise<void> {
    const body = { ethaddress: formatAddress(address) }
    const { status, text } = await this.ask({ method: 'POST', path: `/eth/v1/validator/${keyPath(pubkey)}/feerecipient`, body })
    if (status < 200 || status > 299) throw new UpstreamUnavailable(`${this.name} rejected the fee address: ${reasonIn(text)}`)
  }

  async signExit(pubkey: Buffer, { epoch }: VoluntaryExit): Promise<SignedVoluntaryExit | undefined> {
    const answer = await this.ask({ method: 'POST', path: `/eth/v1/validator/${keyPath(pubkey)}/voluntary_exit?epoch=${epoch}` })
    return UNSUPPORTED.has(answer.status) ? undefined : readAnswer(SignedExitResponse, answer, this.name)
  }

  protected override async ask(request: JsonRequest): Promise<JsonResponse> {
    const answer = await this.askWithToken(request)
    if (answer.status !== 401 && answer.status !== 403) return answer
    // A client that was set up again has another token: it gets no keys until it is accepted.
    this.token = undefined
    if (request.method !== undefined && this.boundTo && (await this.identity()) !== this.boundTo)
      throw new OtherSigner(this.name, await this.identity())
    const second = await this.askWithToken(request)
    if (second.status === 401 || second.status === 403) throw new UpstreamUnavailable(`${this.name} refuses our token.`)
    return second
  }

  private async askWithToken(request: JsonRequest): Promise<JsonResponse> {
    return super.ask({ ...request, headers: { authorization: `Bearer ${await this.currentToken()}` } })
  }

  private currentToken(): Promise<string> {
    this.token ??= this.readToken()
    return this.token
  }

  private async readToken(): Promise<string> {
    try {
      return (await readFile(this.tokenFile, 'utf8')).trim()
    } catch (error) {
      this.token = undefined
      throw new UpstreamUnavailable(`The token file of ${this.name} cannot be read: ${codeOf(error)}.`)
    }
  }
}

/** Of a token that its client generated at random: it cannot be guessed from this. */
function fingerprintOf(token: string): string {
  return createHash('sha256').update(`signer token ${token}`).digest('hex')
}
