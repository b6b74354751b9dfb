import { readAddresses } from './addresses.js'

export interface AccessForm {
  /** As typed; what is sent and whether it may be sent follow from it. */
  readonly allowedIps: string
}

interface Access {
  readonly allowedIps: readonly string[]
}

export function accessForm({ allowedIps }: Access): AccessForm {
  return { allowedIps: allowedIps.join('\n') }
}

export function accessBody({ allowedIps }: AccessForm): { allowedIps: string[] } {
  return { allowedIps: readAddresses(allowedIps).addresses }
}

export function canSaveAccess({ allowedIps }: AccessForm, current: Access): boolean {
  const { addresses, wrong } = readAddresses(allowedIps)
  return wrong.length === 0 && addresses.join() !== current.allowedIps.join()
}
