import { Checkbox, Fieldset, NumberInput, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { ethereumTexts } from '../texts/ethereum.js'
import { PLAYGROUND_METHODS } from './playground/methods.js'
import { LISTS, type ListName, type ProjectForm } from './project-form.js'

const texts = ethereumTexts.fields

interface FieldsProps {
  draft: ProjectForm
  mistakes: Partial<Record<keyof ProjectForm, string>>
  onChange: (draft: ProjectForm) => void
}

/** All that can be set of a project. */
export function ProjectFields({ draft, mistakes, onChange }: FieldsProps) {
  const set = (change: Partial<ProjectForm>) => onChange({ ...draft, ...change })
  return (
    <Stack>
      <TextInput
        label={texts.name.label}
        description={texts.name.hint}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={mistakes.name}
        maxLength={100}
        required
      />
      <Fieldset legend={texts.limits.legend}>
        <Text size="sm" c="dimmed" mb="xs">
          {texts.limits.hint}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['perSecond', 'perDay'] as const).map((limit) => (
            <NumberInput
              key={limit}
              label={texts.limits[limit]}
              value={draft[limit]}
              onChange={(value) => set({ [limit]: typeof value === 'number' ? value : '' })}
              error={mistakes[limit]}
              min={1}
              allowDecimal={false}
              thousandSeparator=","
              placeholder={texts.limits.usual}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={texts.access.legend}>
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.access.hint}
          </Text>
          <Checkbox
            label={texts.requireToken.label}
            description={texts.requireToken.hint}
            checked={draft.requireToken}
            onChange={(event) => set({ requireToken: event.currentTarget.checked })}
          />
          {LISTS.map((list) => (
            <List key={list} list={list} values={draft[list]} error={mistakes[list]} onChange={(values) => set({ [list]: values })} />
          ))}
        </Stack>
      </Fieldset>
    </Stack>
  )
}

interface ListProps {
  list: ListName
  values: readonly string[]
  error?: string
  onChange: (values: string[]) => void
}

function List({ list, values, error, onChange }: ListProps) {
  const { label, hint, example } = texts[list]
  return (
    <TagsInput
      label={label}
      description={hint}
      placeholder={values.length === 0 ? example : undefined}
      value={[...values]}
      onChange={onChange}
      error={error}
      data={list === 'allowedMethods' ? PLAYGROUND_METHODS.map(({ name }) => name) : []}
      splitChars={[',', ' ']}
      maxTags={30}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': texts.clear(label) }}
    />
  )
}
