import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicKeyOf } from '@trestle/ethereum/bls'
import { encodeDepositCall, makeDeposit } from '@trestle/ethereum/deposit'
import { formatHex } from '@trestle/ethereum/hex'
import { formatKeystore } from '@trestle/ethereum/keystore'
import { encryptKeystore } from '@trestle/ethereum/keystore-cipher.engine'
import { networkOf } from '@trestle/ethereum/network'
import { DEPOSIT_CONTRACT } from '../src/beacon/deposit-contract.js'
import { DevBeacon } from '../src/beacon/dev-beacon.js'
import type { BeaconSettings } from '../src/beacon/settings.js'
import { findAnvil, type RunningAnvil, startAnvil } from '../src/ethereum/anvil.js'
import { freePorts } from '../src/ports.js'

const KEYMANAGER_TOKEN = 'token'
const ETHER = 10n ** 18n

interface ApiReply<T> {
  readonly status: number
  readonly body: T
}

export interface ValidatorJson {
  readonly index: string
  readonly balance: string
  readonly status: string
  readonly validator: { readonly pubkey: string; readonly slashed: boolean; readonly effective_balance: string }
}

export interface BlockJson {
  readonly message: {
    readonly slot: string
    readonly proposer_index: string
    readonly body: {
      readonly execution_payload: {
        readonly block_number: string
        readonly block_hash: string
        readonly fee_recipient: string
        readonly withdrawals: readonly { readonly validator_index: string; readonly amount: string; readonly address: string }[]
      }
    }
  }
}

/** A beacon in this process over its own anvil, and what users and validator clients do with them. */
export class BeaconHarness {
  private constructor(
    readonly anvil: RunningAnvil,
    private beacon: DevBeacon,
    readonly settings: BeaconSettings,
    private readonly dir: string,
  ) {}

  static async open(settings: Partial<BeaconSettings> = {}): Promise<BeaconHarness> {
    const dir = mkdtempSync(join(tmpdir(), 'beacon-'))
    const anvil = await startAnvil({ dir, command: findAnvil(), chainId: 31337, statesKept: 0 })
    const [port = 0, eu = 0, us = 0] = await freePorts(3)
    const keymanagers = Object.entries({ eu, us }).map(([name, port]) => ({ name, port, token: KEYMANAGER_TOKEN }))
    const fixed = { anvilUrl: anvil.url, file: join(dir, 'chain.bin'), port, keymanagers }
    const whole = {
      secondsPerSlot: 12,
      byHand: true,
      genesisTime: 1_800_000_000,
      seed: 'test',
      archive: false,
      verify: false,
      ...fixed,
      ...settings,
    }
    return new BeaconHarness(anvil, await DevBeacon.open(whole), whole, dir)
  }

  async close() {
    await this.beacon.close()
    await this.anvil.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** Stops the beacon, runs `meanwhile`, and starts it from its snapshot. */
  async restart(meanwhile: (file: string) => Promise<void> | void = () => undefined): Promise<void> {
    await this.beacon.close()
    await meanwhile(join(this.dir, 'chain.bin'))
    this.beacon = await DevBeacon.open(this.settings)
  }

  get<T>(path: string): Promise<ApiReply<T>> {
    return this.ask('GET', this.settings.port, path)
  }

  post<T>(path: string, body?: unknown): Promise<ApiReply<T>> {
    return this.ask('POST', this.settings.port, path, body)
  }

  /** The data of a response with status 200. */
  async data<T>(path: string, body?: unknown): Promise<T> {
    const reply = body === undefined ? await this.get<{ data: T }>(path) : await this.post<{ data: T }>(path, body)
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }

  keymanager<T>(name: string, method: string, path: string, body?: unknown): Promise<ApiReply<T>> {
    const port = this.settings.keymanagers.find((each) => each.name === name)?.port ?? 0
    return this.ask(method, port, path, body)
  }

  advance(epochs: number): Promise<unknown> {
    return this.post('/dev/advance', { epochs })
  }

  async statusOf(pubkey: string): Promise<string> {
    const { status, body } = await this.get<{ data: ValidatorJson }>(`/eth/v1/beacon/states/head/validators/${pubkey}`)
    return status === 404 ? 'unknown' : body.data.status
  }

  /** Advances by epochs until the validator has this status; returns its statuses in order. */
  async until(pubkey: string, status: string): Promise<string[]> {
    const statuses = [await this.statusOf(pubkey)]
    for (let epochs = 0; statuses.at(-1) !== status; epochs++) {
      if (epochs > 90) throw new Error(`${pubkey} did not become ${status}: ${statuses}`)
      await this.advance(1)
      const now = await this.statusOf(pubkey)
      if (now !== statuses.at(-1)) statuses.push(now)
    }
    return statuses
  }

  /** Imports a key and sends its deposit. */
  async stake(number: number, owner: string, regions = ['eu']): Promise<{ key: Buffer; pubkey: string }> {
    const key = Buffer.alloc(32, number)
    for (const region of regions) await this.import(region, key)
    await this.deposit(key, owner)
    return { key, pubkey: formatHex(publicKeyOf(key)) }
  }

  async import(region: string, key: Buffer, protection?: object): Promise<ApiReply<{ data: { status: string; message?: string }[] }>> {
    const keystore = await encryptKeystore(key, 'password', { iterations: 2 })
    const body = { keystores: [JSON.stringify(formatKeystore(keystore))], passwords: ['password'] }
    return this.keymanager(region, 'POST', '/eth/v1/keystores', {
      ...body,
      ...(protection && { slashing_protection: JSON.stringify(protection) }),
    })
  }

  async deposit(key: Buffer, owner: string): Promise<void> {
    const hash = await this.anvil.rpc.call<string>('eth_sendTransaction', await this.depositOf(key, owner))
    await this.post('/dev/advance', { slots: 1 })
    const receipt = await this.anvil.rpc.call<{ status: string }>('eth_getTransactionReceipt', hash)
    if (receipt.status !== '0x1') throw new Error('The deposit was refused.')
  }

  async depositOf(key: Buffer, owner: string) {
    const [from] = await this.anvil.rpc.call<string[]>('eth_accounts')
    const withdrawalCredentials = Buffer.from(`01${'00'.repeat(11)}${owner.slice(2)}`, 'hex')
    const deposit = makeDeposit(key, { withdrawalCredentials, amountGwei: 32_000_000_000n }, networkOf('dev'))
    const data = formatHex(encodeDepositCall(deposit))
    return { from, to: DEPOSIT_CONTRACT, value: `0x${(32n * ETHER).toString(16)}`, data, gas: '0x30d40' }
  }

  async balanceOf(address: string): Promise<bigint> {
    return BigInt(await this.anvil.rpc.call<string>('eth_getBalance', address, 'latest'))
  }

  private async ask<T>(method: string, port: number, path: string, body?: unknown): Promise<ApiReply<T>> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEYMANAGER_TOKEN}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }
}
