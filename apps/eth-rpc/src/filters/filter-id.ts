// A filter has one of the places of its project, by compare and set, so that there are never more filters than places. Its id names the place.

const MAX_FILTERS = 1000
const PLACE_DIGITS = 3
const ID = /^0x[0-9a-f]{32}$/

/** Of every project. */
export const PLACES: readonly string[] = Array.from({ length: MAX_FILTERS }, (_, i) => i.toString(16).padStart(PLACE_DIGITS, '0'))

/** 15 random bytes: in the same place there are others before and after. */
export function filterId(place: string, random: Buffer): string {
  return `0x${place}${random.toString('hex').slice(1)}`
}

export function isFilterId(text: string): boolean {
  return ID.test(text)
}

export function placeOf(id: string): string {
  return id.slice(2, 2 + PLACE_DIGITS)
}
