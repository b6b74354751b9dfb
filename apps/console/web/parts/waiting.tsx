import { Center, Loader } from '@mantine/core'
import { parts } from '../texts/parts.js'

export function Waiting() {
  return (
    <Center mih="40vh" role="status" aria-label={parts.loading}>
      <Loader type="dots" />
    </Center>
  )
}
