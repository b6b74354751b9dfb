import { VALIDATOR_PHASES, type ValidatorPhase } from '@trestle/contracts/staking/validators'
import { Problem } from '@trestle/problem/problem'
import { billingDays, billingPresets, billingSearch, isBackwards } from './billing-days-form.js'
import { EMPTY_EXIT, exitBody, exitText, reduceExit } from './exit-form.js'
import { canExit, earnsFees, isChanging } from './lifecycle.js'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const LATER = new Date('2026-03-01T12:05:00.000Z')
const UNCONFIRMED = new Problem('invalid', 'ExitNotConfirmed', 'A signature is required.')

describe(reduceExit, () => {
  const asked = reduceExit(EMPTY_EXIT, { type: 'refused', error: UNCONFIRMED, now: NOW })

  it('sends no confirmation until one is required', () => {
    expect(exitBody(EMPTY_EXIT)).toBeUndefined()
    expect(exitBody({ signature: '0x12' })).toBeUndefined()
  })

  it('asks for a signature once the platform requires one', () => {
    expect(asked).toEqual({ date: NOW.toISOString(), signature: '' })
    expect(exitText({ chain: 'hoodi', pubkey: 'ab' }, NOW.toISOString())).toBe(`hoodi:ab:${NOW.toISOString()}`)
  })

  it('keeps the text that was signed when it is refused again', () => {
    const signed = reduceExit(asked, { type: 'signed', signature: ' 0x12\n' })
    const again = reduceExit(signed, { type: 'refused', error: UNCONFIRMED, now: LATER })
    expect(exitBody(again)).toEqual({ confirmationDate: NOW.toISOString(), confirmationSignature: '0x12' })
  })

  it('asks for nothing after any other failure', () => {
    for (const error of [new Problem('unavailable', 'Away', 'It is away.'), new TypeError('Failed to fetch'), undefined])
      expect(reduceExit(EMPTY_EXIT, { type: 'refused', error, now: NOW })).toEqual(EMPTY_EXIT)
  })

  it('takes a new date, as an old one is not accepted', () => {
    expect(reduceExit(asked, { type: 'renewed', now: LATER }).date).toBe(LATER.toISOString())
  })
})

describe(billingDays, () => {
  const TODAY = '2026-03-15'

  it('is this month unless the address says otherwise', () => {
    expect(billingDays(new URLSearchParams(), TODAY)).toEqual({ fromDate: '2026-03-01', toDate: TODAY })
    expect(billingDays(new URLSearchParams({ from: '2026-01-01' }), TODAY)).toEqual({ fromDate: '2026-01-01', toDate: TODAY })
  })

  it('recognizes each preset by its days', () => {
    const { names, daysOf } = billingPresets({ fromDate: TODAY, toDate: TODAY }, TODAY)
    expect(names).toEqual(['thisMonth', 'lastMonth', 'thirtyDays', 'thisYear'])
    for (const name of names) expect(billingPresets(daysOf(name), TODAY).selected).toBe(name)
  })

  it('is no preset otherwise', () => {
    expect(billingPresets({ fromDate: '2026-03-02', toDate: TODAY }, TODAY).selected).toBeUndefined()
  })

  it('goes into the address and back unchanged', () => {
    const days = { fromDate: '2026-02-01', toDate: '2026-02-28' }
    expect(billingDays(new URLSearchParams(billingSearch(days)), TODAY)).toEqual(days)
  })

  it.each([
    ['', '2026-03-01'],
    ['2026-03-01', ''],
  ])('is kept out of the address while incomplete: %j to %j', (fromDate, toDate) => {
    expect(billingSearch({ fromDate, toDate })).toBeUndefined()
  })

  it.each([
    ['2026-03-01', '2026-03-01', false],
    ['2026-02-28', '2026-03-01', false],
    ['2026-03-02', '2026-03-01', true],
    ['2027-01-01', '2026-12-31', true],
  ])('from %s to %s is backwards: %s', (fromDate, toDate, expected) => {
    expect(isBackwards({ fromDate, toDate })).toBe(expected)
  })
})

describe('what a phase allows', () => {
  const phasesWhere = (holds: (phase: ValidatorPhase) => boolean) => VALIDATOR_PHASES.filter(holds)

  it('is an exit from the deposit until one is requested', () => {
    expect(phasesWhere((phase) => canExit({ phase, exitRequestedAt: null }))).toEqual(['deposited', 'queued', 'active'])
    expect(phasesWhere((phase) => canExit({ phase, exitRequestedAt: NOW.toISOString() }))).toEqual([])
  })

  it('is a fee recipient until the validator has exited', () => {
    expect(phasesWhere((phase) => earnsFees({ phase }))).toEqual(['created', 'ready', 'deposited', 'queued', 'active', 'exiting'])
  })

  it('is a change that comes by itself, except at rest', () => {
    expect(phasesWhere((phase) => !isChanging({ phase, status: 'active' }))).toEqual(['active', 'withdrawn', 'spoiled'])
    expect(isChanging({ phase: 'active', status: 'exiting' })).toBe(true)
  })
})
