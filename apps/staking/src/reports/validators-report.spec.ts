import type { Validator } from '@trestle/contracts/staking/validators'
import { VALIDATORS_HEADER, validatorLine } from './validators-report.js'

describe(validatorLine, () => {
  it('writes the columns that are documented', () => {
    expect(VALIDATORS_HEADER).toBe(
      'chain,pubkey,region,status,balance,effectiveBalance,feeAddress,withdrawalAddress,startedAt,activatedAt,exitedAt,rewards,apr\r\n',
    )
    expect(validatorLine(validator(), { rewardsWei: 7n, apr: -0.5 })).toBe(
      'dev,aa,eu,active,33,32,0xFee,0xPaid,2026-11-01T00:00:00.000Z,2026-11-02T00:00:00.000Z,,7,-0.5\r\n',
    )
  })
})

function validator(): Validator {
  return {
    ...{ chain: 'dev', pubkey: 'aa', region: 'eu', status: 'active', balance: '33', effectiveBalance: '32' },
    ...{ feeAddress: '0xFee', withdrawalAddress: '0xPaid', startedAt: '2026-11-01T00:00:00.000Z' },
    ...{ activatedAt: '2026-11-02T00:00:00.000Z', exitedAt: null },
  } as Validator
}
