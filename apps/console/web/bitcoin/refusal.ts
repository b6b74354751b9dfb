/** Why nodes refuse transactions, by their own words; the first that fits. */
const REASONS = [
  [/decode failed|more than one|superfluous/i, 'undecodable'],
  [/already in (block ?chain|utxo set)|txn-already-known/i, 'confirmed'],
  [/already[- ]in[- ]mempool/i, 'known'],
  [/txn-mempool-conflict|insufficient fee|replacement/i, 'conflict'],
  [/missing-?inputs|missing inputs|missingorspent/i, 'spent'],
  [/min relay fee|mempool min fee|mempool full/i, 'fee-too-low'],
  [/max-?fee-?exceeded|absurdly-high-fee|fee exceeds/i, 'fee-too-high'],
  [/\bdust\b/i, 'dust'],
  [/non-final|non-BIP68-final/i, 'locked'],
  [/premature-spend-of-coinbase/i, 'immature'],
  [/script-verify-flag|mempool-script-verify|signature|witness program/i, 'unsigned'],
  [/in-belowout/i, 'too-much'],
  [/too-long-mempool-chain|too many (unconfirmed|descendants)/i, 'chain-too-long'],
  [/scriptpubkey|scriptsig|tx-size|multi-op-return|bare-multisig|version|tx-?weight|datacarrier/i, 'unusual'],
] as const

type RefusalReason = (typeof REASONS)[number][1]

/** What a node means by its refusal. */
export function refusalReason(detail: string): RefusalReason | undefined {
  return REASONS.find(([pattern]) => pattern.test(detail))?.[1]
}

/** What is wrong with what was pasted, before it is sent anywhere. */
export function rawMistake(raw: string, mostDigits: number): 'empty' | 'not-hex' | 'odd' | 'too-long' | undefined {
  if (raw === '') return 'empty'
  if (!/^[0-9a-f]+$/i.test(raw)) return 'not-hex'
  if (raw.length % 2 === 1) return 'odd'
  return raw.length > mostDigits ? 'too-long' : undefined
}
