import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jest } from '@jest/globals'
import { startBeacon } from '../src/beacon/beacon.js'
import { findAnvil, startAnvil } from '../src/ethereum/anvil.js'
import { BeaconHarness, type BlockJson, type ValidatorJson } from './beacon-harness.js'

let harness: BeaconHarness
afterEach(() => harness.close())

describe('The dev beacon', () => {
  it('answers as the Beacon API says, for each name of a state and a block', async () => {
    harness = await BeaconHarness.open()
    await harness.advance(5)
    await harness.post('/dev/advance', { slots: 3 })
    expect(await harness.data('/eth/v1/config/spec')).toMatchObject({
      PRESET_BASE: 'minimal',
      SLOTS_PER_EPOCH: '8',
      SECONDS_PER_SLOT: '12',
      SLOT_DURATION_MS: '12000',
      GENESIS_FORK_VERSION: '0x00000001',
      CAPELLA_FORK_VERSION: '0x03000001',
      DOMAIN_DEPOSIT: '0x03000000',
    })
    expect(await harness.data('/eth/v1/config/deposit_contract')).toEqual({
      chain_id: '31337',
      address: '0x00000000219ab540356cbb839cbe05303d7705fa',
    })
    expect(await harness.data('/eth/v1/node/syncing')).toMatchObject({ head_slot: '43', is_syncing: false })
    expect(await harness.get('/eth/v1/node/health')).toMatchObject({ status: 200 })
    const head = await harness.data<{ root: string; header: { message: { state_root: string } } }>('/eth/v1/beacon/headers/head')
    for (const id of [head.root, '43']) expect(await harness.data(`/eth/v1/beacon/headers/${id}`)).toEqual(head)
    const states = ['head', '43', head.header.message.state_root]
    const checkpoints = await Promise.all(states.map((id) => harness.data(`/eth/v1/beacon/states/${id}/finality_checkpoints`)))
    expect(checkpoints).toEqual(Array(3).fill(expect.objectContaining({ finalized: expect.objectContaining({ epoch: '3' }) })))
    expect(await harness.get('/eth/v1/beacon/states/finalized/fork')).toMatchObject({ status: 200, body: { finalized: true } })
    expect(await harness.get('/eth/v1/beacon/states/justified/fork')).toMatchObject({ status: 200, body: { finalized: false } })
    expect(await harness.data<BlockJson>('/eth/v2/beacon/blocks/finalized')).toMatchObject({ message: { slot: '24' } })
    for (const [path, status] of [
      ['/eth/v1/beacon/states/44/fork', 404],
      ['/eth/v1/beacon/states/tail/fork', 400],
      [`/eth/v1/beacon/headers/0x${'11'.repeat(32)}`, 404],
      [`/eth/v1/beacon/states/head/validators/0x${'11'.repeat(48)}`, 404],
      ['/eth/v1/beacon/states/head/validators/0x11', 400],
      ['/eth/v1/beacon/states/head/validators?status=asleep', 400],
      [`/eth/v1/beacon/states/head/validators?id=${Array(65).fill(1)}`, 414],
    ] as const)
      expect([path, await harness.get(path)]).toMatchObject([path, { status, body: { code: status, message: expect.any(String) } }])
    const duties = await harness.data<{ validator_index: string; slot: string }[]>('/eth/v1/validator/duties/proposer/5')
    expect(duties.map(({ slot }) => slot)).toEqual(['40', '41', '42', '43', '44', '45', '46', '47'])
    const [proposer] = duties.filter(({ slot }) => slot === '43')
    expect(await harness.data<BlockJson>('/eth/v2/beacon/blocks/43')).toMatchObject({
      message: { proposer_index: proposer?.validator_index },
    })
  })

  it('filters validators by id and status, in both forms', async () => {
    harness = await BeaconHarness.open()
    const genesis = await harness.data<ValidatorJson[]>('/eth/v1/beacon/states/head/validators')
    expect(genesis).toHaveLength(64)
    const pubkey = genesis[3]?.validator.pubkey
    const path = '/eth/v1/beacon/states/head/validators'
    expect(await harness.data(`${path}?id=5&id=${pubkey}&id=99`)).toEqual([genesis[3], genesis[5]])
    expect(await harness.data(path, { ids: [pubkey, '5'], statuses: ['active'] })).toEqual([genesis[3], genesis[5]])
    expect(await harness.data(path, { ids: null, statuses: ['exited', 'pending_queued'] })).toEqual([])
    const balances = [{ index: '3', balance: '32000000000' }]
    expect(await harness.data('/eth/v1/beacon/states/head/validator_balances', [pubkey])).toEqual(balances)
    expect(await harness.data(`/eth/v1/beacon/states/head/validator_balances?id=3`)).toEqual(balances)
  })

  it('makes blocks that pass the whole transition with every signature', async () => {
    harness = await BeaconHarness.open({ verify: true, secondsPerSlot: 0.3 })
    await harness.stake(1, '0x00000000000000000000000000000000000a11ce')
    const [genesis] = await harness.data<ValidatorJson[]>('/eth/v1/beacon/states/head/validators')
    await harness.post('/dev/slash', { pubkey: genesis?.validator.pubkey })
    await harness.advance(2)
    expect((await harness.get('/dev/status')).body).toMatchObject({ slot: 17 })
    expect(await harness.data('/eth/v1/beacon/states/head/validators/0')).toMatchObject({ status: 'active_slashed' })
  })

  it('has withdrawals in the blocks of its execution chain, which anvil has not', async () => {
    harness = await BeaconHarness.open({ archive: true })
    const { pubkey } = await harness.stake(1, '0x00000000000000000000000000000000000a11ce')
    await harness.until(pubkey, 'active_ongoing')
    await harness.advance(4)
    const { slot } = (await harness.get<{ slot: number }>('/dev/status')).body
    const blocks = await Promise.all(
      Array.from({ length: slot }, (_, index) => harness.data<BlockJson>(`/eth/v2/beacon/blocks/${index + 1}`)),
    )
    const paid = blocks.map(({ message }) => message.body.execution_payload).filter(({ withdrawals }) => withdrawals.length > 0)
    expect(paid.length).toBeGreaterThan(0)
    for (const payload of paid) {
      const params = [`0x${Number(payload.block_number).toString(16)}`, false]
      const answer = await harness.post('/execution', { jsonrpc: '2.0', id: 7, method: 'eth_getBlockByNumber', params })
      const [withdrawal] = payload.withdrawals
      const amount = `0x${BigInt(withdrawal?.amount ?? 0).toString(16)}`
      expect(answer).toMatchObject({ status: 200, body: { id: 7, result: { hash: payload.block_hash, withdrawals: [{ amount }] } } })
    }
    expect(await harness.get('/eth/v1/beacon/states/1/fork')).toMatchObject({ status: 200 })
  })

  it('misses the slots in which its execution chain is unreachable, and continues', async () => {
    harness = await BeaconHarness.open()
    await harness.post('/dev/advance', { slots: 1 })
    harness.anvil.process.kill('SIGKILL')
    await harness.anvil.process.exited
    const error = jest.spyOn(console, 'error').mockReturnValue()
    await harness.post('/dev/advance', { slots: 2 })
    expect(error).toHaveBeenCalledTimes(2)
    expect((await harness.get('/dev/status')).body).toMatchObject({ slot: 3, headBlockSlot: 1 })
    expect(await harness.get('/eth/v2/beacon/blocks/2')).toMatchObject({ status: 404 })
  })

  it('continues where it was stopped, with its keys and pending operations', async () => {
    harness = await BeaconHarness.open()
    const { pubkey } = await harness.stake(1, '0x00000000000000000000000000000000000a11ce')
    await harness.until(pubkey, 'active_ongoing')
    const [genesis] = await harness.data<ValidatorJson[]>('/eth/v1/beacon/states/head/validators')
    await harness.post('/dev/slash', { pubkey: genesis?.validator.pubkey })
    const paths = ['/dev/status', '/eth/v2/beacon/blocks/head', '/eth/v1/beacon/states/8/validator_balances', '/eth/v1/beacon/genesis']
    const all = () => Promise.all(paths.map((path) => harness.get(path)))
    const before = await all()
    await harness.restart()
    expect(await all()).toEqual(before)
    const { finalizedEpoch } = (await harness.get<{ finalizedEpoch: number }>('/dev/status')).body
    await harness.advance(4)
    expect((await harness.get('/dev/status')).body).toMatchObject({ finalizedEpoch: finalizedEpoch + 4, keys: { eu: [pubkey] } })
    expect(await harness.statusOf('0')).toBe('active_slashed')
  })

  it('continues from the last snapshot after a kill, and from a new genesis with another anvil', async () => {
    harness = await BeaconHarness.open()
    await harness.advance(2)
    let old = Buffer.alloc(0)
    await harness.restart((file) => {
      old = readFileSync(file)
    })
    await harness.advance(1)
    await harness.restart((file) => writeFileSync(file, old))
    expect((await harness.get('/dev/status')).body).toMatchObject({ slot: 16 })
    const error = jest.spyOn(console, 'error').mockReturnValue()
    await harness.advance(2)
    // Until its time is later than that of anvil.
    expect(error).toHaveBeenCalledTimes(7)
    expect((await harness.get('/dev/status')).body).toMatchObject({ slot: 32, headBlockSlot: 32 })
    await harness.restart(async () => {
      await harness.anvil.rpc.call('anvil_reset')
    })
    expect((await harness.get('/dev/status')).body).toMatchObject({ slot: 0, keys: { eu: [] } })
  })

  it('lives by its clock, and tells who listens', async () => {
    harness = await BeaconHarness.open({ secondsPerSlot: 0.1, byHand: false })
    const answer = await fetch(`http://127.0.0.1:${harness.settings.port}/eth/v1/events?topics=head,finalized_checkpoint`)
    let told = ''
    for await (const chunk of answer.body ?? []) {
      told += Buffer.from(chunk).toString()
      if (told.includes('event: finalized_checkpoint')) break
    }
    expect(told).toMatch(/event: head\ndata: \{"slot":"[0-9]+","block":"0x[0-9a-f]{64}","state":"0x[0-9a-f]{64}"/)
  })
})

describe(startBeacon, () => {
  it('runs it as a process of its own, with a token for each keymanager', async () => {
    harness = await BeaconHarness.open()
    const dir = mkdtempSync(join(tmpdir(), 'beacon-'))
    const anvil = await startAnvil({ dir: join(dir, 'anvil'), command: findAnvil(), chainId: 31337, statesKept: 0 })
    const beacon = await startBeacon({ dir, anvilUrl: anvil.url, byHand: true, keymanagers: [{ name: 'eu' }] })
    expect(await (await fetch(`${beacon.url}/eth/v1/node/version`)).json()).toMatchObject({ data: { version: expect.any(String) } })
    const [keymanager] = beacon.keymanagers
    const headers = { authorization: `Bearer ${readFileSync(keymanager?.tokenFile ?? '', 'utf8')}` }
    expect((await fetch(`${keymanager?.url}/eth/v1/keystores`, { headers })).status).toBe(200)
    await beacon.stop()
    expect(await beacon.process.exited).toBe('exit code 0')
    await anvil.stop()
    rmSync(dir, { recursive: true })
  })
})
