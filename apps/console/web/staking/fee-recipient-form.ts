import { changeField, type FieldChange } from '../parts/form.js'
import { isUsableAddress } from './validator-form.js'

interface FeeRecipientForm {
  readonly feeAddress: string
}

export const EMPTY_FEE_RECIPIENT: FeeRecipientForm = { feeAddress: '' }

export function reduceFeeRecipient(form: FeeRecipientForm, event: FieldChange<FeeRecipientForm> | { type: 'saved' }): FeeRecipientForm {
  return event.type === 'saved' ? EMPTY_FEE_RECIPIENT : changeField(form, event)
}

export function canChangeFeeRecipient({ feeAddress }: FeeRecipientForm): boolean {
  return isUsableAddress(feeAddress)
}

export function feeRecipientBody({ feeAddress }: FeeRecipientForm) {
  return { feeAddress: feeAddress.trim() }
}
