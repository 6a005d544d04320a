//! What operations of the built-in types take and return.

/// What an operation of a built-in type takes or returns.
///
/// ```
/// use linchpin::Value;
///
/// assert_eq!(Value::from(7), Value::Int(7));
/// assert_eq!(Value::from(vec![1, 2]), Value::List(vec![Value::Int(1), Value::Int(2)]));
/// assert_eq!(Value::from(None::<i64>), Value::Nil);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A method without a result returns it. Also `()`.
    None,
    /// "Nothing there": an empty container's answer, an absent key. Also an `Option` without a value.
    Nil,
    /// A result that was lost. Arguments are known.
    Unknown,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Value>),
}

impl From<()> for Value {
    fn from(_: ()) -> Value {
        Value::None
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Value {
            fn from(integer: $integer) -> Value {
                Value::Int(integer.into())
            }
        }
    )*};
}
from_integers!(i8, i16, i32, i64, u8, u16, u32);

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Value {
        Value::List(elements.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nil, Into::into)
    }
}

/// Who called an operation: a number below 2^31, a name, or nobody knows (each such operation is for itself).
///
/// ```
/// use linchpin::Process;
///
/// assert_eq!(Process::from("client 7"), Process::Name("client 7".to_string()));
/// assert_eq!(Process::from(7), Process::Number(7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Process {
    Unknown,
    Number(u32),
    Name(String),
}

impl From<u32> for Process {
    fn from(number: u32) -> Process {
        Process::Number(number)
    }
}

impl From<&str> for Process {
    fn from(name: &str) -> Process {
        Process::Name(name.to_string())
    }
}

impl From<String> for Process {
    fn from(name: String) -> Process {
        Process::Name(name)
    }
}
