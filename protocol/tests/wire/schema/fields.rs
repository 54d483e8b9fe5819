//! The fields of every object that a schema describes, and where they are in a message.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// A field as one object has it.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) schema: Value,
    pub(crate) is_required: bool,
}

/// One form that an object may take: with a tag, those of one variant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    pub(crate) fields: BTreeMap<String, Field>,
}

/// A field of an object in a message, which need not have it.
#[derive(Debug)]
pub(crate) struct Place {
    /// Where the object is.
    pub(crate) pointer: String,
    pub(crate) field: String,
    /// The title of the object's shape.
    pub(crate) shape: String,
    pub(crate) is_required: bool,
    /// The type of the field or of its items, if that has a name.
    kind: Option<String>,
}

impl Shape {
    /// The word that tells this shape from the others, with the name of its field.
    pub(crate) fn tag(&self) -> Option<(&str, &str)> {
        let word = |field: &'_ Field| field.schema.get("const").and_then(Value::as_str).is_some();
        let (name, field) = self.fields.iter().find(|(_, field)| word(field))?;
        Some((name, field.schema.get("const")?.as_str()?))
    }

    fn with(&self, other: &Self) -> Self {
        let fields = self.fields.clone().into_iter().chain(other.fields.clone()).collect();
        Self { fields }
    }

    /// Whether an object has this shape: its tag, and what it needs.
    fn fits(&self, object: &Map<String, Value>) -> bool {
        let tagged = self
            .tag()
            .is_none_or(|(name, word)| object.get(name).and_then(Value::as_str) == Some(word));
        tagged
            && self
                .fields
                .iter()
                .all(|(name, field)| !field.is_required || object.contains_key(name))
    }
}

/// A schema with all its types.
#[derive(Debug)]
pub(crate) struct Fields {
    types: Map<String, Value>,
}

impl Fields {
    pub(crate) fn new(mut schema: Value) -> Self {
        let Value::Object(types) = schema["$defs"].take() else { panic!("no $defs") };
        Self { types }
    }

    /// Every object's shapes, with what to call each: messages first. A type that is the whole of
    /// a message goes by the message's name.
    pub(crate) fn all(&self) -> Vec<(String, Shape)> {
        let messages = ["ClientMessage", "ServerMessage"];
        let variants =
            messages.into_iter().filter_map(|name| self.type_of(name)["oneOf"].as_array());
        let whole: Vec<&str> = variants.flatten().filter_map(name_of).collect();
        let others = self.types.keys().map(String::as_str);
        let others = others.filter(|name| !messages.contains(name) && !whole.contains(name));
        let named = |name| self.shapes_of(name).into_iter();
        messages.into_iter().chain(others).flat_map(named).collect()
    }

    /// Every field that may be left out, with its object.
    pub(crate) fn optional(&self) -> Vec<String> {
        let of = |(title, shape): (String, Shape)| {
            let optional = shape.fields.into_iter().filter(|(_, field)| !field.is_required);
            optional.map(move |(name, _)| format!("{title}.{name}")).collect::<Vec<_>>()
        };
        self.all().into_iter().flat_map(of).collect()
    }

    /// Every variant of every type: the form of an object, or a word.
    pub(crate) fn kinds(&self) -> BTreeSet<String> {
        let shapes = self.all().into_iter().filter(|(_, shape)| shape.tag().is_some());
        let of = |(name, schema): (&String, _)| -> Vec<String> {
            words(schema).into_iter().map(|word| format!("{name} {word}")).collect()
        };
        shapes.map(|(title, _)| title).chain(self.types.iter().flat_map(of)).collect()
    }

    /// The variants in a message.
    pub(crate) fn kinds_in(&self, is_client: bool, message: &Value) -> BTreeSet<String> {
        let mut kinds = BTreeSet::new();
        for Place { pointer, field, shape, kind, .. } in self.places(is_client, message) {
            kinds.insert(shape);
            let value = message.pointer(&format!("{pointer}/{field}"));
            if let Some((kind, word)) = kind.zip(value.and_then(Value::as_str)) {
                kinds.insert(format!("{kind} {word}"));
            }
        }
        kinds
    }

    /// A type's schema.
    pub(crate) fn type_of(&self, name: &str) -> &Value {
        self.types.get(name).unwrap_or_else(|| panic!("no type {name}"))
    }

    /// The shapes of a type with fields, and what to call each.
    fn shapes_of(&self, name: &str) -> Vec<(String, Shape)> {
        let shapes = self.shapes(self.type_of(name)).into_iter();
        let title = |shape: &Shape| match (name, shape.tag()) {
            ("ClientMessage", Some((_, word))) => format!("→ {word}"),
            ("ServerMessage", Some((_, word))) => format!("← {word}"),
            (_, Some((_, word))) => format!("{name} {word}"),
            (_, None) => name.to_owned(),
        };
        let shapes = shapes.filter(|shape| !shape.fields.is_empty());
        shapes.map(|shape| (title(&shape), shape)).collect()
    }

    fn shapes(&self, schema: &Value) -> Vec<Shape> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|n| n == name));
        let mut own = Shape::default();
        for (name, field) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let is_required = is_required(name);
            own.fields.insert(name.clone(), Field { schema: field.clone(), is_required });
        }
        let mut shapes = vec![own];
        if let Some(name) = schema.get("$ref").and_then(|_| name_of(schema)) {
            shapes = product(&shapes, &self.shapes(self.type_of(name)));
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(alternatives) = schema.get(key).and_then(Value::as_array) {
                let all: Vec<Shape> =
                    alternatives.iter().flat_map(|one| self.shapes(one)).collect();
                shapes = product(&shapes, &all);
            }
        }
        shapes
    }

    /// Every field of every object in a message.
    pub(crate) fn places(&self, is_client: bool, message: &Value) -> Vec<Place> {
        let name = if is_client { "ClientMessage" } else { "ServerMessage" };
        let mut places = Vec::new();
        self.walk(name, message, "", &mut places);
        places
    }

    fn walk(&self, name: &str, value: &Value, pointer: &str, places: &mut Vec<Place>) {
        let Some(object) = value.as_object() else { return };
        let mut shapes = self.shapes_of(name).into_iter();
        let found = shapes.find(|(_, shape)| shape.fits(object));
        let (title, shape) = found.unwrap_or_else(|| panic!("{value} is no {name}"));
        for (field, Field { schema, is_required }) in shape.fields {
            let below = format!("{pointer}/{field}");
            let items = schema.get("items");
            let kind = name_of(&schema).or_else(|| items.and_then(name_of)).map(str::to_owned);
            let child = object.get(&field);
            if let (Some(name), Some(child)) = (name_of(&schema), child) {
                self.walk(name, child, &below, places);
            } else if let (Some(name), Some(list)) =
                (items.and_then(name_of), child.and_then(Value::as_array))
            {
                for (at, child) in list.iter().enumerate() {
                    self.walk(name, child, &format!("{below}/{at}"), places);
                }
            }
            places.push(Place {
                pointer: pointer.to_owned(),
                field,
                shape: title.clone(),
                is_required,
                kind,
            });
        }
    }
}

/// The words that a type may be.
pub(crate) fn words(schema: &Value) -> Vec<&str> {
    let alternatives = list(schema, "oneOf");
    let consts = alternatives.flat_map(|one| one.get("const").into_iter().chain(list(one, "enum")));
    consts.chain(list(schema, "enum")).filter_map(Value::as_str).collect()
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The type that a schema names, if it does.
pub(crate) fn name_of(schema: &Value) -> Option<&str> {
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    let named = alternatives.and_then(|all| all.iter().find_map(|one| one.get("$ref")));
    schema.get("$ref").or(named)?.as_str()?.strip_prefix("#/$defs/")
}

/// Each shape of one list with each of the other.
fn product(some: &[Shape], others: &[Shape]) -> Vec<Shape> {
    some.iter().flat_map(|one| others.iter().map(|other| one.with(other))).collect()
}
