import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningAnvil, startAnvil } from '../ethereum/anvil.js'
import type { RunningProcess } from '../process.js'
import { writeAtomically } from '../write-atomically.js'
import { type RunningBeacon, startBeacon } from './beacon.js'
import { DEPOSIT_CONTRACT } from './deposit-contract.js'

/** The chain of validators in devnet.json. */
export interface StakingInfo {
  readonly beacon: string
  /** JSON-RPC of the execution chain, an anvil that signs for its accounts. */
  readonly execution: string
  readonly depositContract: string
  /** An account with ether to deposit. */
  readonly account: string
  readonly regions: readonly string[]
}

const ANVIL = 'staking-node'
const BEACON = 'beacon'
const CHAIN_ID = 1337
// So a validator's whole lifecycle takes a few minutes.
const SECONDS_PER_SLOT = 2
const RECONCILE_MS = 2000

/** The processes, in the order in which they start. */
export const STAKING_NODES = [ANVIL, BEACON] as const

/** The chain of the staking area: a beacon over an anvil. It resumes where it was stopped, unless one of the two was killed. */
export class DevnetStakingChain {
  private anvil?: RunningAnvil
  private beacon?: RunningBeacon

  constructor(
    private readonly folder: string,
    private readonly command: string,
  ) {}

  async start(name: (typeof STAKING_NODES)[number]): Promise<RunningProcess> {
    const dir = join(this.folder, name)
    if (name === ANVIL) {
      this.anvil = await startAnvil({ command: this.command, dir, port: this.anvil?.port, chainId: CHAIN_ID, statesKept: 0 })
      return this.anvil.process
    }
    const { port, keymanagers } = this.beacon ?? {}
    this.beacon = await startBeacon({ dir, port, keymanagers, anvilUrl: this.running.anvil.url, secondsPerSlot: SECONDS_PER_SLOT })
    return this.beacon.process
  }

  /** Whether this is another chain than at the last start: then nothing that was stored about that one holds. */
  async hasNewGenesis(): Promise<boolean> {
    const genesis = await (await fetch(`${this.running.beacon?.url}/eth/v1/beacon/genesis`)).json()
    const file = join(this.folder, 'genesis.json')
    const isKnown = existsSync(file) && readFileSync(file, 'utf8').trim() === JSON.stringify(genesis, null, 2).trim()
    if (!isKnown) writeAtomically(file, genesis)
    return !isKnown
  }

  async info(): Promise<StakingInfo> {
    const { anvil, beacon } = this.running
    const [account = ''] = await anvil.rpc.call<string[]>('eth_accounts')
    const regions = this.beacon?.keymanagers.map(({ name }) => name) ?? []
    return { beacon: beacon?.url ?? '', execution: anvil.url, depositContract: DEPOSIT_CONTRACT, account, regions }
  }

  /** The environment of the staking service. */
  env(): Record<string, string> {
    const { beacon } = this.running
    if (!beacon) throw new Error('The beacon was not started.')
    const regions = beacon.keymanagers.map(({ name, url, tokenFile }) => ({ name, signer: { kind: 'keymanager', url, tokenFile } }))
    const chain = { name: 'dev', beacons: [beacon.url], executions: [beacon.executionUrl], regions }
    return { CHAINS: JSON.stringify([chain]), RECONCILE_MS: String(RECONCILE_MS) }
  }

  private get running(): { anvil: RunningAnvil; beacon?: RunningBeacon } {
    if (!this.anvil) throw new Error('The anvil of the beacon was not started.')
    return { anvil: this.anvil, beacon: this.beacon }
  }
}
