import { AllowedIp } from '@trestle/contracts/nodes/shapes'

/** Addresses as people write them, one a line or with commas between; and those among them that are none. */
export function readAddresses(text: string): { addresses: string[]; wrong: string[] } {
  const written = text.split(/[\s,;]+/).filter(Boolean)
  return { addresses: [...new Set(written)], wrong: written.filter((each) => !AllowedIp.safeParse(each).success) }
}
