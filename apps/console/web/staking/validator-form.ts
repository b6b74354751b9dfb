import { checkAddress } from './address.js'

export interface ValidatorForm {
  readonly chain: string
  readonly region: string
  readonly withdrawalAddress: string
  readonly feeAddress: string
  readonly rewards: 'execution' | 'compounding'
}

/** What the next page checks the deposit against: only what was typed shows that another address was put in its place. */
export interface TypedDeposit {
  readonly withdrawalAddress: string
  readonly compounding: boolean
}

interface Choices {
  readonly chains: readonly string[]
  readonly regions: readonly string[]
}

export function emptyValidator({ chains, regions }: Choices, chain: string | null): ValidatorForm {
  const first = chains.find((each) => each === chain) ?? chains[0] ?? ''
  return { chain: first, region: regions[0] ?? '', withdrawalAddress: '', feeAddress: '', rewards: 'execution' }
}

export function isUsableAddress(text: string): boolean {
  const check = checkAddress(text.trim())
  return check === 'right' || check === 'unchecked'
}

/** The fee address may be left out. */
export function canCreateValidator({ chain, region, withdrawalAddress, feeAddress }: ValidatorForm): boolean {
  return chain !== '' && region !== '' && isUsableAddress(withdrawalAddress) && (feeAddress.trim() === '' || isUsableAddress(feeAddress))
}

export function typedDeposit({ withdrawalAddress, rewards }: ValidatorForm): TypedDeposit {
  return { withdrawalAddress: withdrawalAddress.trim(), compounding: rewards === 'compounding' }
}

export function validatorBody(form: ValidatorForm) {
  const feeAddress = form.feeAddress.trim()
  return { ...typedDeposit(form), region: form.region, ...(feeAddress !== '' && { feeAddress }) }
}

/** The same for the same input, so that a second press of the button creates nothing. */
export function creationKey(visit: string, form: ValidatorForm): string {
  return `${visit}:${[form.chain, ...Object.values(validatorBody(form))].join(':')}`
}
