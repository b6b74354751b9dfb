// A filter takes one of the slots of its project, by compare and set, so that there are never more filters than slots. Its id names the slot.

const MAX_FILTERS = 1000
const SLOT_DIGITS = 3
const ID = /^0x[0-9a-f]{32}$/

/** Of every project. */
export const SLOTS: readonly string[] = Array.from({ length: MAX_FILTERS }, (_, i) => i.toString(16).padStart(SLOT_DIGITS, '0'))

/** Made unique by 15 random bytes: slots are used again. */
export function filterId(slot: string, random: Buffer): string {
  return `0x${slot}${random.toString('hex').slice(1)}`
}

export function isFilterId(text: string): boolean {
  return ID.test(text)
}

export function slotOf(id: string): string {
  return id.slice(2, 2 + SLOT_DIGITS)
}
