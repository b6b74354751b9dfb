import { CLIENT_AREAS, type ClientArea } from '@trestle/contracts/areas'
import { changeField, type FieldChange } from '../parts/form.js'
import { EXPIRIES, keyExpiresAt } from './key-expiry.js'

export type Expiry = (typeof EXPIRIES)[number]

export interface KeyForm {
  readonly name: string
  readonly scopes: readonly ClientArea[]
  readonly expiry: Expiry
  /** `YYYY-MM-DD`, where the key is valid until a date. */
  readonly lastDay: string
}

export const EMPTY_KEY: KeyForm = { name: '', scopes: CLIENT_AREAS, expiry: EXPIRIES[0], lastDay: '' }

export function reduceKey(form: KeyForm, event: FieldChange<KeyForm>): KeyForm {
  const next = changeField(form, event)
  return { ...next, scopes: CLIENT_AREAS.filter((area) => next.scopes.includes(area)) }
}

export function isExpiry(value: string | null): value is Expiry {
  return EXPIRIES.some((expiry) => expiry === value)
}

export function canCreateKey({ scopes, expiry, lastDay }: KeyForm): boolean {
  return scopes.length > 0 && (expiry !== 'day' || lastDay !== '')
}

export function keyBody(form: KeyForm, now: Date) {
  const name = form.name.trim()
  const expiresAt = keyExpiresAt(form.expiry, form.lastDay, now)
  return { scopes: [...form.scopes], ...(name && { name }), ...(expiresAt && { expiresAt }) }
}
