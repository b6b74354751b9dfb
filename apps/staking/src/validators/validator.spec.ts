import { VALIDATOR_PHASES } from '@trestle/contracts/staking/validators'
import { BEACON_STATUSES } from '@trestle/ethereum/beacon-status'
import fc from 'fast-check'
import { describeValidator, type OwnedValidator, phaseOf, statusOf } from './validator.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const ADDRESS = Buffer.alloc(20, 0xa1)

describe(phaseOf, () => {
  it.each([
    [{}, {}, 'created'],
    [{}, { readyAt: NOW }, 'ready'],
    [{ depositedAt: NOW }, { readyAt: NOW }, 'deposited'],
    [{ status: 'pending_queued' as const }, {}, 'queued'],
    [{ status: 'active_ongoing' as const }, {}, 'active'],
    [{ status: 'active_slashed' as const, slashed: true }, {}, 'exiting'],
    [{ status: 'withdrawal_possible' as const }, {}, 'exited'],
    [{ status: 'withdrawal_done' as const }, {}, 'withdrawn'],
    [{ status: 'active_ongoing' as const, compromisedAt: NOW }, {}, 'spoiled'],
  ])('of %j and %j is %3$s', (chain, signer, phase) => {
    expect(phaseOf(validator({ chain, signer }))).toBe(phase)
  })

  it('has a phase for every status of the Beacon API', () => {
    for (const status of BEACON_STATUSES) expect(VALIDATOR_PHASES).toContain(phaseOf(validator({ chain: { status } })))
  })
})

describe(statusOf, () => {
  it('is unknown after the chain could not be read for long, unless the validator is withdrawn', () => {
    const observedAt = new Date(NOW.getTime() - 11 * 60_000)
    expect(statusOf(validator({ observedAt, chain: { status: 'active_ongoing' } }), NOW)).toBe('unknown')
    expect(statusOf(validator({ observedAt, chain: { status: 'withdrawal_done' } }), NOW)).toBe('withdrawn')
    expect(statusOf(validator({ observedAt, chain: { slashed: true } }), NOW)).toBe('slashed')
  })

  it('is exiting from the request on, until it has exited', () => {
    const asked = { exitRequestedAt: NOW }
    expect(statusOf(validator({ ...asked, chain: { status: 'active_ongoing' } }), NOW)).toBe('exiting')
    expect(statusOf(validator(asked), NOW)).toBe('exiting')
    expect(statusOf(validator({ ...asked, chain: { status: 'exited_unslashed' } }), NOW)).toBe('exited')
  })
})

describe('the note', () => {
  const noteOf = (overrides: Parameters<typeof validator>[0]) => describeValidator(validator(overrides), NOW).note

  it('says why the status is unknown', () => {
    const observedAt = new Date(NOW.getTime() - 11 * 60_000)
    const chainProblem = 'beacon node 1 is stuck at slot 378, 27 slots behind the clock.'
    expect(noteOf({ observedAt, chainProblem, chain: { status: 'active_ongoing' } })).toBe(`The chain cannot be read: ${chainProblem}`)
    expect(noteOf({ chainProblem, chain: { status: 'active_ongoing' } })).toBeNull()
  })

  it('says which validator has the stake of a consolidated one', () => {
    expect(noteOf({ consolidatedInto: 7, chain: { status: 'withdrawal_done' } })).toBe('Consolidated: its stake went to validator 7.')
  })

  it('says what nobody can explain', () => {
    expect(noteOf({ unexplainedGwei: -5n, chain: { status: 'active_ongoing' } })).toContain(
      'changed by -5 gwei for a reason that no node shows',
    )
  })
})

describe(describeValidator, () => {
  it('shows amounts in wei to the last digit, and the deposit only until it is sent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.boolean(), (balanceGwei, isDeposited) => {
        const depositedAt = isDeposited ? NOW : undefined
        const shown = describeValidator(validator({ chain: { balanceGwei, depositedAt } }), NOW)
        expect(shown.balance).toBe(String(balanceGwei * 1_000_000_000n))
        expect(shown.depositData === null).toBe(isDeposited)
      }),
    )
  })
})

it('says that nobody signs for a validator, once two epochs are missed', () => {
  expect(describeValidator(validator({ chain: { status: 'active_ongoing' }, custody: { missedEpochs: 1 } }), NOW).note).toBeNull()
  expect(describeValidator(validator({ chain: { status: 'active_ongoing' }, custody: { missedEpochs: 2 } }), NOW).note).toBe(
    'Its validator client has signed nothing for 2 epochs.',
  )
})

function validator({ chain = {}, signer = {}, ...more }: Partial<Omit<OwnedValidator, 'chain' | 'signer'>> & Parts = {}): OwnedValidator {
  return {
    serial: 1,
    chainName: 'dev',
    pubkey: Buffer.alloc(48, 1),
    region: 'eu',
    userId: 'user-1',
    organizationId: 'org-1',
    createdAt: NOW,
    unexplainedGwei: 0n,
    consolidatedInto: null,
    depositData: Buffer.alloc(420),
    withdrawalCredentials: Buffer.concat([Buffer.of(1), Buffer.alloc(11), ADDRESS]),
    feeAddress: ADDRESS,
    observedAt: NOW,
    custody: {},
    ...more,
    signer,
    chain: { balanceGwei: 0n, effectiveBalanceGwei: 0n, slashed: false, ...chain },
  }
}

interface Parts {
  readonly chain?: Partial<OwnedValidator['chain']>
  readonly signer?: Partial<OwnedValidator['signer']>
}
