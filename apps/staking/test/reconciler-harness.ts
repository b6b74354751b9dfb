import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Lease } from '@trestle/database/lease'
import { createPool } from '@trestle/database/pool'
import { type RunningBeacon, startBeacon } from '@trestle/devnet/beacon/beacon'
import { findAnvil, type RunningAnvil, startAnvil } from '@trestle/devnet/ethereum/anvil'
import { formatHex } from '@trestle/ethereum/hex'
import { Clock } from '@trestle/runtime/clock'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Sealer } from '@trestle/runtime/sealing'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { parseChains } from '../src/chains/chain-settings.js'
import { ChainsService } from '../src/chains/chains.service.js'
import type { SignerRecord } from '../src/custody/region-signer.js'
import { RegionSignersRepository } from '../src/custody/region-signers.repository.js'
import { SignerWatchService } from '../src/custody/signer-watch.service.js'
import type { StakingDatabase } from '../src/database.module.js'
import { type GeneratedKey, KeyGenerator } from '../src/keys/key-generator.engine.js'
import { BatchReconcilerService } from '../src/lifecycle/batch-reconciler.service.js'
import { ChainObserverService } from '../src/lifecycle/chain-observer.service.js'
import { ChainReconcilerService } from '../src/lifecycle/chain-reconciler.service.js'
import { DepositFinderService } from '../src/lifecycle/deposit-finder.service.js'
import { DepositLogs } from '../src/lifecycle/deposit-logs.engine.js'
import { ExitSenderService } from '../src/lifecycle/exit-sender.service.js'
import { ExitSignerService } from '../src/lifecycle/exit-signer.service.js'
import { FeeRecipientReconcilerService } from '../src/lifecycle/fee-recipient-reconciler.service.js'
import { KeyCustodyService } from '../src/lifecycle/key-custody.service.js'
import { KeyListingService } from '../src/lifecycle/key-listing.service.js'
import { KeyTransferService } from '../src/lifecycle/key-transfer.service.js'
import { LifecycleRepository } from '../src/lifecycle/lifecycle.repository.js'
import { LifecycleService } from '../src/lifecycle/lifecycle.service.js'
import { LifecycleAlarmsService } from '../src/lifecycle/lifecycle-alarms.service.js'
import { ObservationsService } from '../src/lifecycle/observations.service.js'
import { PassFailuresService } from '../src/lifecycle/pass-failures.service.js'
import { PassTimesService } from '../src/lifecycle/pass-times.service.js'
import { SignerReconcilerService } from '../src/lifecycle/signer-reconciler.service.js'
import { SignersService } from '../src/signers/signers.service.js'
import { databaseOn } from './rewards-schema.js'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/staking/migrations', import.meta.url))
const DEPOSIT_CONTRACT = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const VALUE = `0x${(32n * 10n ** 18n).toString(16)}`
const OWNER = Buffer.alloc(20, 0xa1)
export const CREDENTIALS = Buffer.concat([Buffer.of(1), Buffer.alloc(11), OWNER])

/** A dev chain with validator clients in two regions, and the reconciler of a database of its own; a test takes each pass itself. */
export class ReconcilerHarness {
  readonly metrics = new Metrics()
  readonly logger = createLogger('test', 'silent')
  readonly lifecycle = new Lifecycle(this.logger)
  readonly chains: ChainsService
  readonly signers: SignersService
  readonly keyGenerator: KeyGenerator
  readonly pool: Pool
  readonly prisma: StakingDatabase
  readonly service: LifecycleService
  readonly regionSigners: RegionSignersRepository
  lease?: Lease

  private constructor(
    readonly anvil: RunningAnvil,
    readonly beacon: RunningBeacon,
    private readonly database: TestDatabase,
    private readonly dir: string,
  ) {
    const regions = beacon.keymanagers
      .filter(({ name }) => name !== 'spare')
      .map(({ name, url, tokenFile }) => ({ name, signer: { kind: 'keymanager', url, tokenFile } }))
    const chain = { name: 'dev', beacons: [beacon.url], executions: [beacon.executionUrl], regions }
    // No earlier observation is fresh enough for a pass.
    const env = { CHAINS: parseChains(JSON.stringify([chain])), RECONCILE_MS: 0 }
    this.pool = createPool({ url: database.url, schema: 'staking' })
    this.prisma = databaseOn(this.pool)
    this.chains = new ChainsService(env, this.lifecycle)
    this.signers = new SignersService(env, this.lifecycle)
    this.keyGenerator = new KeyGenerator(new Sealer([Buffer.alloc(32, 1)]), this.lifecycle)
    this.regionSigners = new RegionSignersRepository(this.pool, this.prisma)
    this.service = this.wire(new PassTimesService(env, new Clock()))
  }

  /** Each of these is a region, except `spare`. */
  static async open(signers = ['eu', 'us']): Promise<ReconcilerHarness> {
    const dir = mkdtempSync(join(tmpdir(), 'staking-'))
    const anvil = await startAnvil({ dir, command: findAnvil(), chainId: 31_337 })
    const beacon = await startBeacon({
      dir,
      anvilUrl: anvil.url,
      byHand: true,
      seed: 'staking',
      keymanagers: signers.map((name) => ({ name })),
    })
    return new ReconcilerHarness(anvil, beacon, await freshDatabase({ schema: 'staking', migrations: MIGRATIONS }), dir)
  }

  async close(): Promise<void> {
    await this.lease?.release()
    await this.lifecycle.run('close')
    await this.pool.end()
    await this.database.drop()
    await this.beacon.stop()
    await this.anvil.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  async pass(): Promise<void> {
    this.lease ??= await this.service.begin(new AbortController().signal)
    await this.service.pass(this.lease)
  }

  /** A validator as an owner creates it. */
  async create(region = 'eu'): Promise<GeneratedKey> {
    const { network } = await this.chains.get('dev')
    const key = await this.keyGenerator.create({ withdrawalCredentials: CREDENTIALS, amountGwei: 32_000_000_000n, network })
    await this.pool.query(
      `INSERT INTO validator (chain, pubkey, user_id, region, withdrawal_credentials, deposit_data, created_at, fee_address)
       VALUES ('dev', $1, 'user-1', $2, $3, $4, now(), $5)`,
      [key.pubkey, region, CREDENTIALS, key.depositCall, OWNER],
    )
    await this.pool.query('INSERT INTO validator_key VALUES ($1, $2, $3)', [key.pubkey, key.keystore, key.sealedPassword])
    return key
  }

  // biome-ignore lint/suspicious/noExplicitAny: the columns of the table as they are
  async row({ pubkey }: Pick<GeneratedKey, 'pubkey'>): Promise<any> {
    const { rows } = await this.pool.query('SELECT * FROM validator WHERE pubkey = $1', [pubkey])
    return rows[0]
  }

  async set({ pubkey }: GeneratedKey, what: string, value: unknown): Promise<void> {
    await this.pool.query(`UPDATE validator SET ${what} = $2 WHERE pubkey = $1`, [pubkey, value])
  }

  async deposit(data: Buffer, slots = 1): Promise<void> {
    const [from] = await this.anvil.rpc.call<string[]>('eth_accounts')
    const call = { from, to: DEPOSIT_CONTRACT, value: VALUE, data: formatHex(data), gas: '0x30d40' }
    await this.anvil.rpc.call<string>('eth_sendTransaction', call)
    await this.dev('advance', { slots })
  }

  async dev(what: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const { ok, status } = await fetch(`${this.beacon.url}/dev/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!ok) throw new Error(`/dev/${what} answers ${status}.`)
  }

  async doubleSigners(): Promise<unknown> {
    return (await fetch(`${this.beacon.url}/dev/double-signers`)).json()
  }

  /** Advances by epochs, with a pass after each, until the chain reports this status; returns the statuses in order. */
  async until(key: GeneratedKey, status: string): Promise<string[]> {
    const statuses: string[] = []
    for (let epochs = 0; statuses.at(-1) !== status; epochs++) {
      if (epochs > 90) throw new Error(`It did not become ${status}: ${statuses}`)
      await this.dev('advance', { epochs: 1 })
      await this.pass()
      const { beacon_status } = await this.row(key)
      if (beacon_status !== statuses.at(-1)) statuses.push(beacon_status)
    }
    return statuses
  }

  async held(region: string, { pubkey }: GeneratedKey): Promise<boolean> {
    return (await this.signers.of('dev', region).list()).some((key) => key.equals(pubkey))
  }

  async regionSigner(region: string): Promise<SignerRecord> {
    const signers = await this.regionSigners.list('dev')
    return signers.find((each) => each.region === region)!
  }

  /** As an administrator does. */
  async allowRecovery({ pubkey }: GeneratedKey): Promise<void> {
    await this.pool.query('UPDATE validator SET recovery_allowed_at = now() WHERE pubkey = $1', [pubkey])
  }

  async epoch(): Promise<number> {
    const status = (await (await fetch(`${this.beacon.url}/dev/status`)).json()) as { epoch: number }
    return status.epoch
  }

  /** What its signer may not sign any more; the key stays there. */
  async protectionOf(region: string, key: GeneratedKey): Promise<string> {
    const { url, tokenFile } = this.beacon.keymanagers.find(({ name }) => name === region)!
    const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/eth/v1/keystores`, {
      method: 'DELETE',
      headers,
      body: JSON.stringify({ pubkeys: [formatHex(key.pubkey)] }),
    })
    const { slashing_protection } = (await answer.json()) as { slashing_protection: string }
    const password = this.keyGenerator.passwordOf(key)
    await this.signers
      .of('dev', region)
      .import({ pubkey: key.pubkey, keystore: key.keystore, password, slashingProtection: slashing_protection })
    return slashing_protection
  }

  /** Whether the chain has seen its votes of the epoch before. */
  async signs(key: GeneratedKey): Promise<boolean> {
    const { chain_index } = await this.row(key)
    const seen = await this.chains.beacon('dev').liveness(await this.epoch(), [chain_index])
    return seen?.live.has(chain_index) ?? false
  }

  async alarms(): Promise<Record<string, number>> {
    const { values } = await this.metrics.registry.getSingleMetric('staking_alarms_total')!.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.alarm, value]))
  }

  private wire(times: PassTimesService): LifecycleService {
    const { chains, signers, keyGenerator, logger } = this
    const repository = new LifecycleRepository(this.pool, this.prisma, times)
    const failures = new PassFailuresService(logger)
    const alarms = new LifecycleAlarmsService(logger, this.metrics)
    const observer = new ChainObserverService(chains, new DepositFinderService(chains, new DepositLogs(), times, failures), times, failures)
    const custody = new KeyCustodyService(chains, repository, alarms, failures)
    const watch = new SignerWatchService(this.regionSigners, signers, alarms, times)
    const transfers = new KeyTransferService(repository, signers, keyGenerator, times)
    const reconciler = new SignerReconcilerService(
      repository,
      transfers,
      new FeeRecipientReconcilerService(repository, signers, times),
      custody,
    )
    const exits = new ExitSenderService(repository, chains, new ExitSignerService(repository, signers, keyGenerator, logger), alarms)
    const batches = new BatchReconcilerService(observer, new ObservationsService(repository, alarms, times), exits, reconciler)
    const chainPass = new ChainReconcilerService(repository, new KeyListingService(chains, signers, failures, watch), observer, batches)
    return new LifecycleService(repository, chains, chainPass, failures)
  }
}
