import { readAddresses } from './addresses.js'

/** The text as typed; what is sent and whether it may be sent follow from it. */
export function accessForm(allowedIps: readonly string[]): string {
  return allowedIps.join('\n')
}

export function accessBody(text: string): { allowedIps: string[] } {
  return { allowedIps: readAddresses(text).addresses }
}

export function canSaveAccess(text: string, current: readonly string[]): boolean {
  const { addresses, wrong } = readAddresses(text)
  return wrong.length === 0 && addresses.join() !== current.join()
}
