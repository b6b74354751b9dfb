import { rawMistake, refusalReason } from './refusal.js'

describe(refusalReason, () => {
  it.each([
    ['TX decode failed. Make sure the tx has at least one input. Code:-22', 'undecodable'],
    ['Transaction already in block chain. Code:-27', 'confirmed'],
    ['Transaction outputs already in utxo set. Code:-27', 'confirmed'],
    ['txn-already-known. Code:-27', 'confirmed'],
    ['txn-already-in-mempool. Code:-27', 'known'],
    ['txn-mempool-conflict. Code:-26', 'conflict'],
    ['insufficient fee, rejecting replacement abc. Code:-26', 'conflict'],
    ['bad-txns-inputs-missingorspent. Code:-25', 'spent'],
    ['Missing inputs. Code:-25', 'spent'],
    ['min relay fee not met, 0 < 188. Code:-26', 'fee-too-low'],
    ['mempool min fee not met. Code:-26', 'fee-too-low'],
    ['Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate). Code:-25', 'fee-too-high'],
    ['absurdly-high-fee. Code:-26', 'fee-too-high'],
    ['dust. Code:-26', 'dust'],
    ['non-final. Code:-26', 'locked'],
    ['bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 3. Code:-26', 'immature'],
    ['mandatory-script-verify-flag-failed (Signature must be zero). Code:-26', 'unsigned'],
    ['bad-txns-in-belowout, value in (1) < value out (2). Code:-26', 'too-much'],
    ['too-long-mempool-chain, too many descendants for tx. Code:-26', 'chain-too-long'],
    ['scriptpubkey. Code:-26', 'unusual'],
    ['something that no node has said yet. Code:-26', undefined],
  ])('knows what a node means by %j', (detail, expected) => {
    expect(refusalReason(detail)).toBe(expected)
  })
})

describe(rawMistake, () => {
  it.each([
    ['', 'empty'],
    ['0x00', 'not-hex'],
    ['012', 'odd'],
    ['00112233', 'too-long'],
    ['0aFF', undefined],
  ])('finds what is wrong with %j', (raw, expected) => {
    expect(rawMistake(raw, 6)).toBe(expected)
  })
})
