import { Box, Text, TextInput, type TextInputProps } from '@mantine/core'
import { Hash } from '../parts/copy-button.js'
import { stakingTexts } from '../texts/staking.js'
import { checkAddress, checksummed } from './address.js'

const { addressChecks } = stakingTexts.new

interface AddressFieldProps extends Pick<TextInputProps, 'label' | 'description' | 'required' | 'name' | 'onChange'> {
  value: string
  /** Why the platform refused it. */
  error?: string
}

/** An execution-layer address; its checksum is verified while the user types (EIP-55). */
export function AddressField({ value, error, ...field }: AddressFieldProps) {
  const text = value.trim()
  const verdict = text === '' ? undefined : checkAddress(text)
  // No error while an address is incomplete.
  const isWrong =
    verdict !== undefined && !['right', 'unchecked'].includes(verdict) && (text.length >= 42 || !/^0?x?[0-9a-f]*$/i.test(text))
  return (
    <Box>
      <TextInput
        {...field}
        value={value}
        error={isWrong ? addressChecks[verdict] : error}
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <Box mih={24} aria-live="polite">
        {verdict === 'right' && (
          <Text size="sm" c="dimmed">
            ✓ {addressChecks.right}
          </Text>
        )}
        {verdict === 'unchecked' && (
          <Text size="sm" c="dimmed" component="div">
            {addressChecks.unchecked} <Hash value={checksummed(text)} />
          </Text>
        )}
      </Box>
    </Box>
  )
}
