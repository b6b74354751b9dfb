import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import fc from 'fast-check'
import { partial } from '../testing/partial.js'
import { offersOf } from './services.js'
import {
  EMPTY_FORM,
  FIRST_STEP,
  isAlias,
  isCapacity,
  isStepComplete,
  reduceWizard,
  WIZARD_STEPS,
  type WizardEvent,
  type WizardState,
} from './workload-form.js'

const OFFERS = offersOf([
  service('ltc', 'small', 'No program.'),
  service('ltc', 'medium'),
  service('ltc', 'large'),
  service('bch', 'only', 'No program.'),
])
const [LTC, BCH] = [OFFERS[0]!, OFFERS[1]!]
const run = (...events: WizardEvent[]): WizardState => events.reduce(reduceWizard, FIRST_STEP)
const goTo = (step: number) => ({ type: 'went to', step }) as const

describe(reduceWizard, () => {
  it('begins with the chain, of which nothing is chosen', () => {
    expect([FIRST_STEP.step, isStepComplete(0, EMPTY_FORM)]).toEqual([0, false])
  })

  it('chooses the first size that is available with the chain', () => {
    expect(run({ type: 'chose offer', offer: LTC }).form).toMatchObject({ offer: LTC.id, serviceId: 'medium' })
  })

  it('chooses no size where none is available', () => {
    const { form } = run({ type: 'chose offer', offer: BCH })
    expect([form.serviceId, isStepComplete(1, form)]).toEqual(['', false])
  })

  it('keeps access and lifetime when the chain changes', () => {
    const { form } = run(
      { type: 'changed', field: 'ttl', value: '3600' },
      { type: 'chose offer', offer: LTC },
      { type: 'chose offer', offer: BCH },
    )
    expect(form).toMatchObject({ ttl: '3600', offer: BCH.id, serviceId: '' })
  })

  it('does not go past an incomplete step', () => {
    expect(run(goTo(1)).step).toBe(0)
    expect(run({ type: 'chose offer', offer: LTC }, goTo(2)).step).toBe(2)
    const mistyped = { type: 'changed', field: 'allowedIps', value: 'home' } as const
    expect(run({ type: 'chose offer', offer: LTC }, mistyped, goTo(2)).step).toBe(1)
  })

  it('goes back without losing anything', () => {
    const there = run({ type: 'chose offer', offer: LTC }, { type: 'changed', field: 'authType', value: 'jwt' }, goTo(2))
    const back = reduceWizard(there, goTo(0))
    expect(back).toEqual({ step: 0, form: there.form })
  })

  it('is always at a step whose predecessors are complete', () => {
    const event: fc.Arbitrary<WizardEvent> = fc.oneof(
      fc.integer({ min: -1, max: 4 }).map(goTo),
      fc.constantFrom(LTC, BCH).map((offer) => ({ type: 'chose offer', offer }) as const),
      fc.constantFrom('', 'home', '10.0.0.0/8').map((value) => ({ type: 'changed', field: 'allowedIps', value }) as const),
      fc.integer({ min: 0, max: 12 }).map((value) => ({ type: 'changed', field: 'capacity', value }) as const),
    )
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state = FIRST_STEP
        for (const each of events) {
          state = reduceWizard(state, each)
          if (each.type !== 'went to') continue
          expect(WIZARD_STEPS[state.step]).toBeDefined()
          for (let step = 0; step < state.step; step++) expect(isStepComplete(step, state.form)).toBe(true)
        }
      }),
    )
  })
})

describe(isAlias, () => {
  it.each(['', 'a', 'main', 'a-b', '0', 'a'.repeat(63)])('takes %j', (text) => {
    expect(isAlias(text)).toBe(true)
  })

  it.each(['-', 'a-', '-a', 'A', 'a b', 'ä', 'a'.repeat(64), 'a\n'])('refuses %j', (text) => {
    expect(isAlias(text)).toBe(false)
  })
})

describe(isCapacity, () => {
  it('is a whole number from 2 to 10', () => {
    expect([1, 2, 10, 11, 2.5, Number.NaN].map(isCapacity)).toEqual([false, true, true, false, false, false])
  })
})

function service(chain: CatalogueService['chain'], id: string, missing: string | null = null): CatalogueService {
  return partial<CatalogueService>({ id, chain, network: 'regtest', disabled: false, missing })
}
