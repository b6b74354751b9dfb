import { encodeDepositCall, makeDeposit } from '@trestle/ethereum/deposit'
import { formatHex, parseHex } from '@trestle/ethereum/hex'
import { networkOf } from '@trestle/ethereum/network'
import { formatExit, signExit } from '@trestle/ethereum/voluntary-exit'
import { encodeWithdrawalRequest, WITHDRAWAL_REQUEST_CONTRACT } from '@trestle/ethereum/withdrawal-request'
import { BeaconHarness, type BlockJson, type ValidatorJson } from './beacon-harness.js'

let harness: BeaconHarness
beforeAll(async () => {
  harness = await BeaconHarness.open()
})
afterAll(() => harness.close())

describe('A validator on the dev beacon', () => {
  it('is pending from its deposit on, active after some epochs, and paid out after its exit', async () => {
    const owner = '0x00000000000000000000000000000000000a11ce'
    const { key, pubkey } = await harness.stake(1, owner)
    expect(await harness.data('/eth/v1/beacon/states/head/pending_deposits')).toMatchObject([{ pubkey, amount: '32000000000' }])
    expect(await harness.until(pubkey, 'active_ongoing')).toEqual(['unknown', 'pending_initialized', 'pending_queued', 'active_ongoing'])
    const { index } = await harness.data<ValidatorJson>(`/eth/v1/beacon/states/head/validators/${pubkey}`)
    await harness.advance(3)

    const root = parseHex((await harness.data<{ genesis_validators_root: string }>('/eth/v1/beacon/genesis')).genesis_validators_root)
    const message = { epoch: 0n, validatorIndex: BigInt(index) }
    const wrong = signExit(key, message, { capellaForkVersion: parseHex('0x05000001'), genesisValidatorsRoot: root })
    expect(await harness.post('/eth/v1/beacon/pool/voluntary_exits', formatExit(wrong))).toMatchObject({
      status: 400,
      body: { code: 400, message: expect.stringContaining('invalid_signature') },
    })
    const exit = signExit(key, message, { ...networkOf('dev'), genesisValidatorsRoot: root })
    const answer = await harness.keymanager('eu', 'POST', `/eth/v1/validator/${pubkey}/voluntary_exit?epoch=0`)
    expect(answer).toEqual({ status: 200, body: { data: formatExit(exit) } })
    for (const _ of 'twice')
      expect(await harness.post('/eth/v1/beacon/pool/voluntary_exits', formatExit(exit))).toMatchObject({ status: 200 })
    expect(await harness.data('/eth/v1/beacon/pool/voluntary_exits')).toEqual([formatExit(exit)])

    const statuses = ['active_ongoing', 'active_exiting', 'exited_unslashed', 'withdrawal_possible', 'withdrawal_done']
    const seen = await harness.until(pubkey, 'withdrawal_done')
    // An epoch is longer than what is paid out at once.
    expect(statuses.filter((status) => seen.includes(status) || status === 'withdrawal_possible')).toEqual(statuses)
    expect(await harness.post('/eth/v1/beacon/pool/voluntary_exits', formatExit(exit))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('inactive') },
    })
    const paidGwei = await withdrawnGwei(index)
    expect(paidGwei).toBeGreaterThan(32_000_000_000n)
    expect(await harness.balanceOf(owner)).toBe(paidGwei * 10n ** 9n)
  })

  it('is refused by the deposit contract where a bit of its deposit was changed', async () => {
    const call = await harness.depositOf(Buffer.alloc(32, 2), '0x00000000000000000000000000000000000a11ce')
    const deposit = makeDeposit(
      Buffer.alloc(32, 2),
      { withdrawalCredentials: Buffer.alloc(32, 1), amountGwei: 32_000_000_000n },
      networkOf('dev'),
    )
    const data = encodeDepositCall(deposit)
    data[200] = (data[200] ?? 0) ^ 1
    await expect(harness.anvil.rpc.call('eth_call', { ...call, data: formatHex(data) }, 'latest')).rejects.toThrow(
      'reconstructed DepositData does not match supplied deposit_data_root',
    )
  })

  it('exits when its owner asks the contract of EIP-7002, and nobody else', async () => {
    const [, owner = '', stranger = ''] = await harness.anvil.rpc.call<string[]>('eth_accounts')
    const { pubkey } = await harness.stake(3, owner)
    await harness.until(pubkey, 'active_ongoing')
    await harness.advance(3)
    const send = async (from: string) => {
      const data = formatHex(encodeWithdrawalRequest({ pubkey: parseHex(pubkey), amountGwei: 0n }))
      await harness.anvil.rpc.call('eth_sendTransaction', {
        from,
        to: formatHex(WITHDRAWAL_REQUEST_CONTRACT),
        value: '0x1',
        data,
        gas: '0x30d40',
      })
    }
    const afterSlot = async () => {
      await harness.post('/dev/advance', { slots: 1 })
      return harness.statusOf(pubkey)
    }
    // As many as a block may have; that of the owner is in the next one.
    for (let count = 1; count <= 16; count++) await send(stranger)
    await send(owner)
    expect([await afterSlot(), await afterSlot()]).toEqual(['active_ongoing', 'active_exiting'])
  })

  it('is slashed when it votes twice', async () => {
    const { pubkey } = await harness.stake(4, '0x000000000000000000000000000000000000510a')
    await harness.until(pubkey, 'active_ongoing')
    const before = await validator(pubkey)
    expect(await harness.post('/dev/slash', { pubkey })).toMatchObject({ status: 202 })
    await harness.post('/dev/advance', { slots: 1 })
    const after = await validator(pubkey)
    expect(after).toMatchObject({ status: 'active_slashed', validator: { slashed: true } })
    // MIN_SLASHING_PENALTY_QUOTIENT_ELECTRA.
    expect(BigInt(before.balance) - BigInt(after.balance)).toBeGreaterThan(7_000_000n)
    expect(await harness.post('/dev/slash', { pubkey })).toMatchObject({ status: 409 })
    expect(await harness.until(pubkey, 'exited_slashed')).toEqual(['active_slashed', 'exited_slashed'])
  })

  it('pays its fees to the address that its validator client was given', async () => {
    const fees = '0x00000000000000000000000000000000000000fc'
    const { pubkey } = await harness.stake(5, '0x00000000000000000000000000000000000a11ce')
    await harness.keymanager('eu', 'POST', `/eth/v1/validator/${pubkey}/feerecipient`, { ethaddress: fees })
    await harness.until(pubkey, 'active_ongoing')
    const block = await proposalOf((await validator(pubkey)).index)
    const { execution_payload: payload } = block.message.body
    expect(payload.fee_recipient).toBe(fees)
    const number = `0x${Number(payload.block_number).toString(16)}`
    const mined = await harness.anvil.rpc.call<{ hash: string; miner: string }>('eth_getBlockByNumber', number, false)
    expect(mined).toMatchObject({ hash: payload.block_hash, miner: fees })
    expect(await harness.balanceOf(fees)).toBeGreaterThan(0n)
  })

  async function validator(pubkey: string): Promise<ValidatorJson> {
    return harness.data(`/eth/v1/beacon/states/head/validators/${pubkey}`)
  }

  /** The next block that it proposes, with a payment in it. */
  async function proposalOf(index: string): Promise<BlockJson> {
    const [from, to] = await harness.anvil.rpc.call<string[]>('eth_accounts')
    for (let slot = 0; slot < 1000; slot++) {
      await harness.anvil.rpc.call('eth_sendTransaction', { from, to, value: '0x1' })
      await harness.post('/dev/advance', { slots: 1 })
      const block = await harness.data<BlockJson>('/eth/v2/beacon/blocks/head')
      if (block.message.proposer_index === index) return block
    }
    throw new Error(`Validator ${index} proposed nothing.`)
  }

  async function withdrawnGwei(index: string): Promise<bigint> {
    const { message } = await harness.data<BlockJson>('/eth/v2/beacon/blocks/head')
    let sum = 0n
    for (let slot = 1; slot <= Number(message.slot); slot++) {
      const block = await harness.get<{ data: BlockJson }>(`/eth/v2/beacon/blocks/${slot}`)
      const withdrawals = block.status === 200 ? block.body.data.message.body.execution_payload.withdrawals : []
      for (const each of withdrawals) if (each.validator_index === index) sum += BigInt(each.amount)
    }
    return sum
  }
})
