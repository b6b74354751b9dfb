import { Checkbox, Fieldset, NumberInput, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core'
import { MAX_QUORUM_NODES, MIN_QUORUM_NODES } from '@trestle/contracts/eth-rpc/quorum'
import type { FieldChange } from '../parts/form.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { limitOf, type ProjectForm } from './project-form.js'

const texts = ethereumTexts.fields.quorum

interface QuorumFieldsProps {
  form: ProjectForm
  mistakes: Partial<Record<keyof ProjectForm, string>>
  dispatch: (event: FieldChange<ProjectForm>) => void
}

/** How many of how many nodes must give the same answer. */
export function QuorumFields({ form, mistakes, dispatch }: QuorumFieldsProps) {
  return (
    <Fieldset legend={texts.legend}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.hint}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['agreeing', 'nodes'] as const).map((field) => (
            <NumberInput
              key={field}
              label={texts[field]}
              value={form[field]}
              onChange={(value) => dispatch({ type: 'changed', field, value: limitOf(value) })}
              error={mistakes[field]}
              min={MIN_QUORUM_NODES}
              max={MAX_QUORUM_NODES}
              allowDecimal={false}
              placeholder={texts.none}
            />
          ))}
        </SimpleGrid>
        <TagsInput
          label={texts.methods.label}
          description={texts.methods.hint}
          value={[...form.methods]}
          onChange={(value) => dispatch({ type: 'changed', field: 'methods', value })}
          error={mistakes.methods}
          splitChars={[',', ' ']}
          maxTags={30}
          acceptValueOnBlur
          clearable
          clearButtonProps={{ 'aria-label': ethereumTexts.fields.clear(texts.methods.label) }}
        />
        <Checkbox
          label={texts.byHeader.label}
          description={texts.byHeader.hint}
          checked={form.byHeader}
          onChange={(event) => dispatch({ type: 'changed', field: 'byHeader', value: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  )
}
