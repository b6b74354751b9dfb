import { type ClientKey, clientKeys } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import type { Arguments } from '@trestle/contracts/endpoint'
import type { Scope } from '@trestle/contracts/permissions'
import { readAddresses } from '../nodes/addresses.js'
import { changeField, type FieldChange } from '../parts/form.js'
import { EXPIRIES, keyExpiresAt } from './key-expiry.js'
import { scopesAmong } from './key-scopes.js'

/** `keep`: of a key that is edited, the expiry that it has. */
export type Expiry = (typeof EXPIRIES)[number] | 'keep'
type KeyChange = Arguments<typeof clientKeys.change>['body']

const MAX_ADDRESSES = 16

export interface KeyForm {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiry: Expiry
  /** `YYYY-MM-DD`, where the key is valid until a date. */
  readonly lastDay: string
  /** Empty: no limit. */
  readonly perSecond: number | ''
  readonly perDay: number | ''
  /** One a line. */
  readonly allowedIps: string
  /** The service account that a new key is of; empty: the user's own. */
  readonly serviceAccountId: string
}

export const EMPTY_KEY: KeyForm = {
  name: '',
  scopes: CLIENT_AREAS,
  expiry: EXPIRIES[0],
  lastDay: '',
  perSecond: '',
  perDay: '',
  allowedIps: '',
  serviceAccountId: '',
}

export function keyForm({ name = '', scopes, perSecond, perDay, allowedIps = [] }: ClientKey): KeyForm {
  const limits = { perSecond: perSecond ?? '', perDay: perDay ?? '', allowedIps: allowedIps.join('\n') } as const
  return { ...EMPTY_KEY, name, scopes, expiry: 'keep', ...limits }
}

export function reduceKey(form: KeyForm, event: FieldChange<KeyForm>): KeyForm {
  const next = changeField(form, event)
  return { ...next, scopes: scopesAmong(next.scopes) }
}

export function isExpiry(value: string | null): value is Expiry {
  return value === 'keep' || EXPIRIES.some((expiry) => expiry === value)
}

export function addressMistake(form: Pick<KeyForm, 'allowedIps'>): { wrong: string[]; isTooMany: boolean } {
  const { addresses, wrong } = readAddresses(form.allowedIps)
  return { wrong, isTooMany: addresses.length > MAX_ADDRESSES }
}

export function canSaveKey(form: KeyForm): boolean {
  const { wrong, isTooMany } = addressMistake(form)
  return form.scopes.length > 0 && (form.expiry !== 'day' || form.lastDay !== '') && wrong.length === 0 && !isTooMany
}

export function keyBody(form: KeyForm, now: Date) {
  const { perSecond, perDay, serviceAccountId } = form
  const name = form.name.trim()
  const expiresAt = form.expiry === 'keep' ? undefined : keyExpiresAt(form.expiry, form.lastDay, now)
  const { addresses } = readAddresses(form.allowedIps)
  return {
    scopes: [...form.scopes],
    ...(name && { name }),
    ...(expiresAt && { expiresAt }),
    ...(perSecond !== '' && { perSecond }),
    ...(perDay !== '' && { perDay }),
    ...(addresses.length > 0 && { allowedIps: addresses }),
    ...(serviceAccountId && { serviceAccountId }),
  }
}

/** Only what differs from the key as it is: whoever changes only the name keeps its tokens. */
export function keyChange(form: KeyForm, key: ClientKey, now: Date): KeyChange {
  const before = keyBody(keyForm(key), now)
  const { scopes, name = null, perSecond = null, perDay = null, allowedIps = [] } = keyBody(form, now)
  const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  return {
    ...(isOther(name, before.name ?? null) && { name }),
    ...(isOther(scopes, scopesAmong(before.scopes)) && { scopes }),
    ...(form.expiry !== 'keep' && { expiresAt: keyExpiresAt(form.expiry, form.lastDay, now) ?? null }),
    ...(isOther(perSecond, before.perSecond ?? null) && { perSecond }),
    ...(isOther(perDay, before.perDay ?? null) && { perDay }),
    ...(isOther(allowedIps, before.allowedIps ?? []) && { allowedIps }),
  }
}
